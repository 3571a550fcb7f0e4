#include "analysis/engines/settings_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/letters.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Json = nlohmann::ordered_json;

/// Inclusive ranges of the batch size (vllm/docs/features/speculative_decoding/dynamic_speculative_decoding.md). The
/// first begins at one sequence.
std::string ranges_text(std::vector<BatchRange> const& ranges) {
  Json all = Json::array();
  for (BatchRange const& range : ranges)
    all.push_back({all.empty() ? std::int64_t{1} : range.first, range.last, range.gamma});
  return all.dump();
}

/// γ by one batch size of each range, as YAML and as JSON have it.
SettingsValue schedule(std::vector<std::pair<std::string, std::int64_t>> const& entries) {
  Json document = Json::object();
  for (auto const& [batch, gamma] : entries) document[batch] = gamma;
  auto const entry = [](auto const& each) { return fmt::format("{}: {}", each.first, each.second); };
  return {fmt::format("{{{}}}", joined(entries, entry)), document.dump()};
}

SettingsValue by_smallest(SettingsAsked const& asked) {
  if (asked.by_batch.empty()) return schedule({{"1", asked.gamma}});
  std::vector<std::pair<std::string, std::int64_t>> entries;
  for (BatchRange const& range : asked.by_batch)
    entries.emplace_back(entries.empty() ? "1" : fmt::format("{}", range.first), range.gamma);
  return schedule(entries);
}

SettingsValue by_largest(SettingsAsked const& asked) {
  if (asked.by_batch.empty()) return schedule({{"LARGEST_BATCH", asked.gamma}});
  std::vector<std::pair<std::string, std::int64_t>> entries;
  for (BatchRange const& range : asked.by_batch) entries.emplace_back(fmt::format("{}", range.last), range.gamma);
  return schedule(entries);
}

/// A kind by the name that the engine takes; empty for any other name, which a log may give to anything: a line to paste
/// repeats none.
std::string_view known_kind(SettingsCard const& card, std::string kind) {
  std::ranges::replace(kind, '_', '-');
  if (auto const former = card.former_kinds.find(kind); former != card.former_kinds.end()) return former->second;
  for (DraftKinds const& each : card.kinds)
    for (std::string const& name : each.names)
      if (name == kind) return name;
  return {};
}

/// What drafts, each once, and how each is told its length.
void add_kinds(SettingsCard const& card, SettingsAsked const& asked, SettingsValues& values) {
  if (card.kinds.empty()) return;
  std::string_view const standard = card.kinds.front().names.front();
  std::vector<std::string_view> kinds;
  if (asked.draft_kinds.empty())
    kinds.push_back(standard);
  else
    values["kinds_counted"] = {};
  for (std::string const& kind : asked.draft_kinds)
    if (std::string_view const known = known_kind(card, kind); known.empty())
      values["kind_left_out"] = {};
    else
      add_once(kinds, known);
  for (std::string_view const kind : kinds) values[std::string(kind)] = {};
  if (!kinds.empty()) values["kinds"] = {joined(kinds, {}, ","), Json(joined(kinds, {}, ",")).dump()};
  std::vector<std::string> lengths;
  for (std::string_view const kind : kinds.empty() ? std::vector{standard} : kinds)
    for (DraftKinds const& each : card.kinds)
      if (contains(each.names, kind)) {
        values["kind"] = {std::string(kind), std::string(kind)};
        if (std::string members = filled_members(each.json, values); !members.empty())
          add_once(lengths, std::move(members));
      }
  if (!lengths.empty()) values["kind_lengths"] = {{}, joined(lengths)};
}

}  // namespace

std::span<std::string_view const> settings_value_names() {
  static constexpr std::string_view names[] = {
      "gamma",  "gamma+1",      "rates",      "length", "drawn",   "wanted",        "by_batch",
      "ranges", "by_smallest",  "by_largest", "held",   "kinds",   "kinds_counted", "kind_left_out",
      "kind",   "kind_lengths", "members",    "json",   "options", "synthetic"};
  return names;
}

std::vector<std::string_view> places_in(std::string_view text) {
  std::vector<std::string_view> places;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
    std::size_t const close = text.find_first_of("{}", open + 1);
    std::string_view const name = close == text.npos ? std::string_view() : text.substr(open + 1, close - open - 1);
    auto const in_names = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '+'; };
    if (!name.empty() && text[close] == '}' && std::ranges::all_of(name, in_names)) places.push_back(name);
  }
  return places;
}

SettingsValues settings_values(SettingsCard const& card, SettingsAsked const& asked) {
  SettingsValues values;
  auto const set = [&](std::string_view name, std::string const& text) { values[std::string(name)] = {text, text}; };
  set("gamma", fmt::format("{}", asked.gamma));
  set("gamma+1", fmt::format("{}", asked.gamma + 1));
  if (auto const rates = rounded_survival(asked); !rates.empty()) set("rates", Json(rates).dump());
  if (auto const length = rounded_length(asked))
    values["length"] = {fmt::format("{}", *length), Json(*length).dump()};
  if (asked.drawn) set("drawn", {});
  if (!asked.by_batch.empty()) set("by_batch", {});
  if (asked.by_batch.size() > 1) set("ranges", ranges_text(asked.by_batch));
  if (card.by_batch) {
    values["by_smallest"] = by_smallest(asked);
    values["by_largest"] = by_largest(asked);
  }
  add_kinds(card, asked, values);
  return values;
}

std::optional<std::string> filled(SettingsText const& text, SettingsValues const& values, bool as_json) {
  for (std::string_view condition : text.conditions) {
    bool const unknown = condition.starts_with(not_known);
    if (unknown) condition.remove_prefix(not_known.size());
    if (values.contains(condition) == unknown) return std::nullopt;
  }
  std::string words;
  std::string_view rest = text.text;
  for (std::string_view const place : places_in(text.text)) {
    auto const value = values.find(place);
    if (value == values.end()) return std::nullopt;
    std::size_t const at = static_cast<std::size_t>(place.data() - 1 - rest.data());
    words += rest.substr(0, at);
    words += as_json ? value->second.json : value->second.text;
    rest.remove_prefix(at + place.size() + 2);
  }
  return words.append(rest);
}

std::string filled_members(std::vector<SettingsText> const& members, SettingsValues const& values) {
  std::vector<std::string> all;
  for (SettingsText const& member : members)
    if (auto const words = filled(member, values, true)) all.push_back(*words);
  return joined(all);
}

}  // namespace draftgauge
