#include "analysis/stats/student.h"

#include <boost/math/distributions/students_t.hpp>

namespace draftgauge {

double student_tail(double t, double degrees) { return cdf(complement(boost::math::students_t(degrees), t)); }

double student_quantile(double tail, double degrees) {
  return quantile(complement(boost::math::students_t(degrees), tail));
}

}  // namespace draftgauge
