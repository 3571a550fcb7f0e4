#pragma once
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace draftgauge {

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

}  // namespace draftgauge
