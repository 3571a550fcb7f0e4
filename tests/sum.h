#pragma once
#include <numeric>
#include <ranges>

namespace draftgauge::testing {

/// Of numbers of one type, from the first to the last.
template <std::ranges::range Numbers>
auto sum(Numbers const& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::ranges::range_value_t<Numbers>{});
}

}  // namespace draftgauge::testing
