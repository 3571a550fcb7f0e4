#include "analysis/cards/json_path.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/recordings/text_file.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_index = std::size_t{1} << 20;  // of a list in one print

std::optional<std::size_t> index_in(std::string_view text) {
  auto const number = parse_integer(text);
  if (text.empty() || !number || *number < 0 || std::cmp_greater(*number, most_index)) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

/// The members whose names are `pattern` with a number in place of its *.
void add_numbered(Json const& object, std::string_view pattern, std::vector<AtPath>& found) {
  std::size_t const star = pattern.find('*');
  std::string_view const before = pattern.substr(0, star), behind = pattern.substr(star + 1);
  for (auto const& [key, value] : object.items()) {
    std::string_view name = key;
    if (name.size() <= before.size() + behind.size() || !name.starts_with(before) || !name.ends_with(behind)) continue;
    name.remove_prefix(before.size());
    name.remove_suffix(behind.size());
    if (auto const index = index_in(name)) found.push_back({*index, &value});
  }
  std::ranges::sort(found, {}, &AtPath::index);
}

void add_members(Json const& at, std::string_view name, std::vector<AtPath>& found) {
  if (at.is_object() && name.find('*') != name.npos) {
    add_numbered(at, name, found);
  } else if (at.is_object()) {
    auto const value = at.find(name);
    if (value != at.end()) found.push_back({0, &*value});
  }
}

/// Of a list what "2", "1:" or "*" says of it, or "": its only element. A single element keeps the index of its list.
void add_elements(AtPath const& list, std::string_view which, std::vector<AtPath>& found) {
  Json const& at = *list.value;
  if (!at.is_array()) return;
  if (which.empty()) {
    if (at.size() == 1) found.push_back({list.index, &at.front()});
    return;
  }
  bool const all = which == "*", rest = which.ends_with(':');
  auto const first = all ? std::optional<std::size_t>(0) : index_in(rest ? which.substr(0, which.size() - 1) : which);
  if (!first) return;
  for (std::size_t i = *first; i < at.size() && (all || rest || i == *first); ++i)
    found.push_back({all || rest ? i - *first : list.index, &at[i]});
}

}  // namespace

std::vector<AtPath> at_path(Json const& root, std::string_view path) {
  std::vector<AtPath> here = {{0, &root}};
  while (!path.empty() && !here.empty()) {
    std::size_t const end = std::min(path.find('.'), path.size());
    std::string_view step = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    std::size_t const bracket = step.find('[');
    if (bracket != step.npos && !step.ends_with(']')) return {};
    std::vector<AtPath> next;
    for (AtPath const& each : here) {
      std::vector<AtPath> members;
      if (bracket == 0)
        members.push_back({each.index, each.value});
      else
        add_members(*each.value, step.substr(0, bracket), members);
      bool const numbered = step.substr(0, bracket).find('*') != step.npos;
      for (AtPath const& member : members) next.push_back({numbered ? member.index : each.index, member.value});
    }
    for (std::size_t at = bracket; at < step.size(); at = step.find('[', at + 1)) {
      std::vector<AtPath> const lists = std::exchange(next, {});
      for (AtPath const& list : lists) add_elements(list, step.substr(at + 1, step.find(']', at) - at - 1), next);
    }
    here = std::move(next);
  }
  std::erase_if(here, [](AtPath const& each) { return each.value->is_null(); });
  return here;
}

Json const* value_at_path(Json const& root, std::string_view path) {
  auto const found = at_path(root, path);
  return found.size() == 1 ? found.front().value : nullptr;
}

}  // namespace draftgauge
