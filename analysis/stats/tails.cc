#include "analysis/stats/tails.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace draftgauge {
namespace {

/// Chernoff: P(χ² ≤ x) ≤ exp(−this) for x below the degrees.
double exponent_below(double x, double degrees) {
  double const ratio = x / degrees;
  return ratio < 1 ? degrees / 2 * (ratio - 1 - std::log(ratio)) : 0;
}

}  // namespace

double normal_tail(double z) { return cdf(complement(boost::math::normal(), z)); }
double normal_upper(double tail) { return quantile(complement(boost::math::normal(), tail)); }
double normal_quantile(double p) { return quantile(boost::math::normal(), p); }

double student_tail(double t, double degrees) {
  if (std::isinf(degrees)) return normal_tail(t);
  return cdf(complement(boost::math::students_t(degrees), t));
}

double student_quantile(double tail, double degrees) {
  if (std::isinf(degrees)) return normal_upper(tail);
  return quantile(complement(boost::math::students_t(degrees), tail));
}

double chi_squared_tail(double x, double degrees) {
  // Boost 1.74 overflows where x is tiny and the degrees are thousands; e^−40 is below a double's rounding of 1.
  if (exponent_below(x, degrees) > 40) return 1;
  return cdf(complement(boost::math::chi_squared(degrees), x));
}
double chi_squared_below(double x, double degrees) {
  if (exponent_below(x, degrees) > 700) return 0;
  return cdf(boost::math::chi_squared(degrees), x);
}
double chi_squared_upper(double tail, double degrees) {
  return quantile(complement(boost::math::chi_squared(degrees), tail));
}

}  // namespace draftgauge
