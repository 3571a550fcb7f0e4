#include "analysis/stats/tails.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace draftgauge {

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

double chi_squared_tail(double x, double degrees) { return cdf(complement(boost::math::chi_squared(degrees), x)); }
double chi_squared_upper(double tail, double degrees) {
  return quantile(complement(boost::math::chi_squared(degrees), tail));
}

}  // namespace draftgauge
