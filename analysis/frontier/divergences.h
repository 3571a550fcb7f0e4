#pragma once
#include <vector>

#include "analysis/exact/rational.h"

namespace draftgauge {

/// ½ Σ |a − b| of two normalised distributions.
template <class Number>
Number total_variation(std::vector<Number> const& a, std::vector<Number> const& b) {
  Number sum(0);
  for (std::size_t x = 0; x < a.size(); ++x)
    if (b[x] < a[x]) sum += a[x] - b[x];
  return sum;
}

/// Σ a·ln(a/b) in nats, ∞ where b is 0 and a is not.
double relative_entropy(std::vector<Rational> const& a, std::vector<Rational> const& b);
long double relative_entropy(std::vector<long double> const& a, std::vector<long double> const& b);

}  // namespace draftgauge
