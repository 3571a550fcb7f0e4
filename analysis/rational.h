#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <string>

namespace draftgauge {

/// Fractions of integers of any size. Expression templates are off: with them `auto` and ?: keep dangling references.
using Rational = boost::multiprecision::number<
    boost::multiprecision::rational_adaptor<boost::multiprecision::cpp_int_backend<>>,
    boost::multiprecision::et_off>;

}  // namespace draftgauge
