#include "analysis/exact/written_rational.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

TEST_CASE("a written number is kept exactly, whatever its digits") {
  CHECK(parse_rational("0.25") == Rational(1, 4));
  CHECK(parse_rational("0.0001844683579314187") * Rational("10000000000000000000") == Rational("1844683579314187"));
  CHECK(parse_rational("1.8446744073709552e+19") == Rational("18446744073709552000"));
  CHECK(parse_rational("-1e-30") * Rational("1000000000000000000000000000000") == -1);
  CHECK(parse_rational("1e30/3") * 3 == parse_rational("1e30"));
  CHECK(parse_rational("5e-324") * parse_rational("1e300") * parse_rational("2e23") == 1);
  CHECK(parse_rational("0.0001844683579314187") + parse_rational("0.9998155316420685813") == 1);
}

TEST_CASE("what cannot be kept is refused") {
  CHECK_THROWS_WITH(parse_rational("1e400"),
                    "'1e400' is out of range (numbers are read from 4.9e-324 to 1.8e308, and 0) write one within");
  CHECK_THROWS_AS(parse_rational("1x"), Error);
  CHECK_THROWS_WITH(
      parse_rational("0." + std::string(2000, '1')),
      "'0.11111111111111111111111111111111111111…' has more than 2000 characters (a fraction is computed "
      "of all of them) write fewer digits");
}

}  // namespace
}  // namespace draftgauge
