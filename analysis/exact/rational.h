#pragma once
#include <boost/multiprecision/cpp_int.hpp>

#include "sim/chance/entropy.h"

namespace draftgauge {

/// Fractions of integers of any size. Expression templates are off: with them `auto` and ?: keep dangling references.
using Rational =
    boost::multiprecision::number<boost::multiprecision::rational_adaptor<boost::multiprecision::cpp_int_backend<>>,
                                  boost::multiprecision::et_off>;

/// From 50 digits, which decide any comparison that a difference below 10^-50 would not turn around.
template <>
Rational inverse_perplexity(std::vector<Rational> const& p);

}  // namespace draftgauge
