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
  Integer const scale = pow(Integer(10), 55);
  return Rational(floor(exp(sum) * Real(scale)).convert_to<Integer>(), scale);
}

}  // namespace draftgauge
