#pragma once
#include <algorithm>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace draftgauge {

/// Smallest number of inserted, deleted, replaced or swapped neighbouring letters that turns a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known names that may have been meant, the nearest first: the same but for capitals, with few letters wrong, or
/// one the beginning of the other ("--temp", "llama.cpp").
std::vector<std::string_view> nearest_names(std::string_view name, std::span<std::string_view const> known);

/// "there is no KIND 'NAME' (known: a, b, c)", and where a known name is near the hint "did you mean 'b'?".
Error unknown_name(std::string_view kind, std::string_view name, std::span<std::string_view const> known);

/// The names of the entries of a list, in its order.
template <class Name = std::string_view, std::ranges::input_range List>
std::vector<Name> names_in(List const& list) {
  std::vector<Name> names;
  for (auto const& each : list) names.emplace_back(each.name);
  return names;
}

/// The entry of that name. Throws UsageError as unknown_name says it.
template <std::ranges::input_range List>
auto const& entry_named(std::string_view kind, std::string_view name, List const& list) {
  auto const found = std::ranges::find_if(list, [&](auto const& each) { return each.name == name; });
  if (found == std::ranges::end(list)) throw UsageError(unknown_name(kind, name, names_in(list)));
  return *found;
}

}  // namespace draftgauge
