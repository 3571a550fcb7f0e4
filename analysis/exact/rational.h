#pragma once
#include <boost/multiprecision/gmp.hpp>

#include "sim/chance/entropy.h"

namespace draftgauge {

/// Integers of any size. Expression templates are off: with them `auto` and ?: keep dangling references.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
/// Fractions of them. As a double, by static_cast, each is the nearest one.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// From 50 digits, which decide any comparison that a difference below 10^-50 would not turn around.
template <>
Rational inverse_perplexity(std::vector<Rational> const& p);
template <>
Rational entropy(std::vector<Rational> const& weights);
template <>
Rational square_root(Rational const& x);

}  // namespace draftgauge
