#pragma once
#include <cmath>
#include <vector>

#include "sim/base/host_device.h"

namespace draftgauge {

/// exp(−H(p)), H(p) = −Σ p·ln p in nats, of a normalised law: the inverse of its perplexity, in (0, 1]. Irrational as a
/// rule; for doubles the nearest but for rounding, for fractions from 50 digits (analysis/exact/rational.h).
template <class Number>
Number inverse_perplexity(std::vector<Number> const& p);

template <>
double inverse_perplexity(std::vector<double> const& p);

/// −Σ w·ln w in nats of weights in [0, 1], which need not sum to 1; of fractions from 50 digits.
template <class Number>
Number entropy(std::vector<Number> const& weights);

template <>
double entropy(std::vector<double> const& weights);

/// √x of x ≥ 0. Of fractions the greatest multiple of 10^-55 that is not above it.
template <class Number>
DRAFTGAUGE_HD Number square_root(Number const& x);

template <>
DRAFTGAUGE_HD inline double square_root(double const& x) {
  return std::sqrt(x);
}
template <>
inline long double square_root(long double const& x) {
  return std::sqrt(x);
}

}  // namespace draftgauge
