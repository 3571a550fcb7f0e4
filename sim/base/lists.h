#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace draftgauge {

/// std::ranges::contains of C++23.
template <class List, class Value, class Projection = std::identity>
bool contains(List&& list, Value const& value, Projection const& projection = {}) {
  return std::ranges::find(list, value, projection) != std::ranges::end(list);
}

/// Adds what the list does not have. Returns whether it did.
template <class T, class Value>
bool add_once(std::vector<T>& list, Value&& value) {
  if (contains(list, value)) return false;
  list.emplace_back(std::forward<Value>(value));
  return true;
}

/// What `text` makes of each, one after the other: "a, b, c".
template <std::ranges::input_range All, class Text = std::identity>
std::string joined(All&& all, Text text = {}, std::string_view between = ", ") {
  std::string words;
  bool first = true;
  for (auto&& each : all) {
    if (!std::exchange(first, false)) words += between;
    words += std::invoke(text, each);
  }
  return words;
}

/// The same of the first ones: "a, b, …" where there are more than `most`.
template <std::ranges::random_access_range All, class Text = std::identity>
std::string first_joined(All const& all, std::size_t most, Text text = {}, std::string_view between = ", ") {
  std::string words = joined(all | std::views::take(most), text, between);
  if (std::ranges::size(all) > most) words.append(between).append("…");
  return words;
}

}  // namespace draftgauge
