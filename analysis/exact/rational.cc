#include "analysis/exact/rational.h"

#include <boost/multiprecision/cpp_dec_float.hpp>

namespace draftgauge {

template <>
Rational inverse_perplexity(std::vector<Rational> const& p) {
  using Real = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<60>, boost::multiprecision::et_off>;
  Real sum = 0;
  for (Rational const& probability : p) {
    if (probability == 0) continue;
    Real const x = Real(numerator(probability)) / Real(denominator(probability));
    sum += x * log(x);
  }
  // To a fraction over 10^55, which cpp_dec_float's own conversion would not keep short.
  boost::multiprecision::cpp_int const scale = pow(boost::multiprecision::cpp_int(10), 55);
  boost::multiprecision::cpp_int const digits(Real(floor(exp(sum) * Real(scale))));
  return Rational(boost::multiprecision::cpp_rational(digits, scale));
}

}  // namespace draftgauge
