#pragma once
#include <cmath>

namespace draftgauge {

/// Bounds by which −ln p(x) can be bet on, though no number bounds it: min(−ln p(x), c) has a mean of H(p) − s at
/// least, s = V e^(−c)/e, as an outcome of p = u e^(−c) lacks −p ln u ≤ e^(−c)/e. Of V no more is known than 2^20,
/// above any vocabulary in use; c is such that V e^(−c) = e^(−6).
struct SurprisalBounds {
  double most = 20 * std::log(2) + 6;  ///< c
  double slack = std::exp(-7);         ///< s
};

}  // namespace draftgauge
