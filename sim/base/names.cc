#include "sim/base/names.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/base/letters.h"
#include "sim/base/lists.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

bool begins(std::string_view text, std::string_view beginning) {
  constexpr std::size_t shortest = 3;  // fewer letters begin too many names
  std::size_t const dashes = std::min(beginning.find_first_not_of('-'), beginning.size());
  return beginning.size() - dashes >= shortest && text.starts_with(beginning);
}

/// How far a known name is from the one given, capitals aside; none where they have little in common. One that begins
/// with the other stands between a distance of 1 and of 2.
std::optional<std::size_t> distance_between(std::string_view given, std::string_view known) {
  std::string const name = lower(given), child = lower(known);
  std::size_t const most = std::max<std::size_t>(2, name.size() / 3);
  bool const one_begins = begins(child, name) || begins(name, child);
  // As a list: of two values minmax would give references to what is gone after this line.
  auto const [shorter, longer] = std::minmax({name.size(), child.size()});
  // At least so far apart: a name may be a megabyte, of which the distance costs as much for each letter of a known one.
  if (longer - shorter > most) return one_begins ? std::optional<std::size_t>(3) : std::nullopt;
  std::size_t const distance = edit_distance(name, child);
  if (distance > 1 && one_begins) return 3;
  if (distance > most) return {};
  return 2 * distance;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::vector<std::string_view> nearest_names(std::string_view name, std::span<std::string_view const> known) {
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (std::string_view const child : known)
    if (auto const distance = distance_between(name, child)) near.emplace_back(*distance, child);
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> names;
  for (auto const& [distance, child] : near) names.push_back(child);
  return names;
}

Error unknown_name(std::string_view kind, std::string_view name, std::span<std::string_view const> known) {
  std::string const message =
      "there is no " + std::string(kind) + " '" + std::string(name) + "' (known: " + joined(known) + ")";
  auto const near = nearest_names(name, known);
  return Error(message, near.empty() ? std::string() : "did you mean " + shell_quoted(near.front()) + "?");
}

}  // namespace draftgauge
