#include "analysis/frontier/divergences.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace draftgauge {

double relative_entropy(std::vector<Rational> const& a, std::vector<Rational> const& b) {
  double sum = 0;
  for (std::size_t x = 0; x < a.size(); ++x) {
    if (a[x] == 0) continue;
    if (b[x] == 0) return std::numeric_limits<double>::infinity();
    sum += static_cast<double>(a[x]) * std::log(static_cast<double>(Rational(a[x] / b[x])));
  }
  return std::max(sum, 0.0);
}

long double relative_entropy(std::vector<long double> const& a, std::vector<long double> const& b) {
  long double sum = 0;
  for (std::size_t x = 0; x < a.size(); ++x) {
    if (a[x] == 0) continue;
    if (b[x] == 0) return std::numeric_limits<long double>::infinity();
    sum += a[x] * std::log(a[x] / b[x]);
  }
  return std::max(sum, 0.0L);
}

}  // namespace draftgauge
