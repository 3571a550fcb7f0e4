#include "analysis/greedy/certificate.h"

#include <algorithm>
#include <cmath>

#include "analysis/theory/domain.h"

namespace draftgauge {

double greedy_radius(double p1, double p2) {
  constexpr double rounding = 1e-9;
  require_domain(p1 > 0 && p1 <= 1 + rounding, "p1", p1, "it is the largest of probabilities", "give one above 0");
  require_domain(p2 >= 0 && p2 <= p1 && p1 + p2 <= 1 + rounding, "p2", p2,
                 "it is the second largest of probabilities", "give one from 0 to p1");
  double const middle = (p1 + p2) / 2;
  double const radius = p1 * std::log(p1 / middle) + (p2 > 0 ? p2 * std::log(p2 / middle) : 0);
  return std::max(radius, 0.);
}

}  // namespace draftgauge
