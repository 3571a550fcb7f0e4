#include "analysis/exact/rational.h"

#include <boost/multiprecision/cpp_dec_float.hpp>

namespace draftgauge {

namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<60>, boost::multiprecision::et_off>;

Real digits_of_entropy(std::vector<Rational> const& weights) {
  Real sum = 0;
  for (Rational const& weight : weights) {
    if (weight == 0) continue;
    Real const x = Real(numerator(weight)) / Real(denominator(weight));
    sum -= x * log(x);
  }
  return sum;
}

/// 10^55, over which a number of 60 digits becomes a fraction: cpp_dec_float's own conversion would not keep it short.
Integer scale() { return pow(Integer(10), 55); }
Rational short_fraction(Real const& x) { return {floor(x * Real(scale())).convert_to<Integer>(), scale()}; }

}  // namespace

template <>
Rational inverse_perplexity(std::vector<Rational> const& p) {
  return short_fraction(exp(-digits_of_entropy(p)));
}

template <>
Rational entropy(std::vector<Rational> const& weights) {
  return short_fraction(digits_of_entropy(weights));
}

template <>
Rational square_root(Rational const& x) {
  return {sqrt(Integer(numerator(x) * scale() * scale() / denominator(x))), scale()};
}

}  // namespace draftgauge
