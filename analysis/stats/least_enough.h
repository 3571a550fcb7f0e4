#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace draftgauge {

/// The least number from `least` on that is enough, where all beyond it are, too; to 1, or to its 1/`shares` where that
/// is more. None where `most` are too few. least > 0, most ≤ 2^63.
std::optional<std::uint64_t> least_enough(auto const& enough, std::uint64_t least, std::uint64_t most,
                                          std::uint64_t shares) {
  std::uint64_t low = least - 1, high = least;
  for (; !enough(high); high *= 2) {
    if (high >= most) return std::nullopt;
    low = high;
  }
  while (high - low > std::max<std::uint64_t>(1, high / shares)) {
    std::uint64_t const middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

/// The same of numbers above 0 that need not be whole, to 2^-40 of it where it is 1 or more; infinite where none is
/// enough.
double least_real_enough(auto const& enough) {
  double low = 0, high = 1;
  while (!enough(high))
    if (std::isinf(high *= 2)) return high;
  for (int i = 0; i < 40; ++i) (enough((low + high) / 2) ? high : low) = (low + high) / 2;
  return high;
}

}  // namespace draftgauge
