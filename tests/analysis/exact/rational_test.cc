#include "analysis/exact/rational.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "analysis/exact/written_rational.h"
#include "tests/random.h"

namespace draftgauge {

TEST_CASE("rational: the double is the nearest one, of two the even one") {
  CHECK(static_cast<double>(Rational(1, 10)) == .1);  // which GMP's own mpq_get_d would cut off
  CHECK(static_cast<double>(Rational(-1, 10)) == -.1);
  CHECK(static_cast<double>(Rational(2, 3)) == 2. / 3);
  CHECK(static_cast<double>(Rational(0)) == 0);
  Integer const even = Integer(1) << 53;
  CHECK(static_cast<double>(Rational(even + 1)) == 0x1p53);
  CHECK(static_cast<double>(Rational(even + 3)) == 0x1p53 + 4);
  CHECK(static_cast<double>(Rational(-even - 3)) == -0x1p53 - 4);
  CHECK(static_cast<double>(Rational(2 * even + 3, 2)) == 0x1p53 + 2);
}

TEST_CASE("rational: decimals become what the C library reads") {
  testing::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string const text = "0." + std::to_string(random.word()) + std::to_string(random.word()) + "e-" +
                             std::to_string(random.word() % 40);
    CAPTURE(text);
    REQUIRE(static_cast<double>(parse_rational(text)) == std::strtod(text.c_str(), nullptr));
  }
}

}  // namespace draftgauge
