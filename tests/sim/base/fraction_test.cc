#include "sim/base/fraction.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

std::string fraction_error(std::string_view text) {
  return testing::message<Error>([&] { parse_fraction(text); });
}

TEST_CASE("a decimal is the decimal fraction it writes") {
  struct Case {
    char const* text;
    Fraction value;
  };
  for (Case const& c : {Case{"0.25", {1, 4}},
                        Case{".3", {3, 10}},
                        Case{"1/3", {1, 3}},
                        Case{"1e-3", {1, 1000}},
                        Case{"1", 1},
                        Case{"1.", 1},
                        Case{"-2", -2},
                        Case{"+2", 2},
                        Case{"2.5e6", 2'500'000},
                        Case{"1E9", 1'000'000'000},
                        Case{"0", 0},
                        Case{"0e-500000", 0},
                        Case{"-0", 0},
                        Case{"6/4", {3, 2}},
                        Case{".3/.7", {3, 7}},
                        Case{"-1/-3", {1, 3}},
                        Case{"1/-3", {-1, 3}},
                        Case{"1.000000000000000000000000000", 1},
                        Case{"0.0000000000000000000001e22", 1},
                        Case{"1000000000000000000000e-21", 1},
                        Case{"0000000000000000000000001.5", {3, 2}},
                        Case{"9223372036854775807", 9223372036854775807}}) {
    INFO(c.text);
    CHECK(parse_fraction(c.text) == c.value);
  }
}

TEST_CASE("what is not a number is named") {
  for (char const* text : {"", "-", ".", "x", "1x", "1/", "/3", "1e", "1e+", "1.2.3", "0x1", "1 ", " 1", "nan", "inf",
                           "1e2e3", "1/2/3", "--1"}) {
    INFO(text);
    CHECK(fraction_error(text) ==
          "'" + std::string(text) +
              "' is not a number (decimals and ratios are read exactly) write it like 0.25, 1e-3 or "
              "1/3");
  }
  CHECK(fraction_error("1/0") == "'1/0' divides by 0 (it has no value) write a number other than 0 below the /");
  CHECK(fraction_error("1/0.0") == "'1/0.0' divides by 0 (it has no value) write a number other than 0 below the /");
}

TEST_CASE("what does not fit is an error, never a rounding") {
  std::string const tail =
      " does not fit a ratio of two 64-bit integers (exact values are kept exactly) write at most 18 digits";
  for (char const* text :
       {"1e19", "1e-19", "9223372036854775808", "0.12345678901234567891", "1e99999999999", "1e-99999999999",
        "1e18/1e-18", "1e-38", "100000000000000000000000000000000000000000001"}) {
    INFO(text);
    std::string const message = fraction_error(text);
    CHECK(message.substr(message.size() - std::min(message.size(), tail.size())) == tail);
  }
  Fraction const big(1, 9223372036854775807);
  CHECK_THROWS_WITH(
      big * big,
      "a result does not fit a ratio of two 64-bit integers (exact values are kept exactly) use shorter "
      "decimals or smaller denominators");
  CHECK_THROWS_AS(Fraction(9223372036854775807) + 1, Error);
  CHECK_THROWS_AS(Fraction(INT64_MIN, 1), Error);
  CHECK_THROWS_WITH(Fraction(1) / 0,
                    "a ratio has the denominator 0 (it has no value) write a number other than 0 below the /");
}

TEST_CASE("arithmetic and order are exact") {
  Fraction const third(1, 3);
  Fraction const half(2, 4);
  CHECK(half.num() == 1);
  CHECK(half.den() == 2);
  CHECK(third + half == Fraction(5, 6));
  CHECK(third - half == Fraction(-1, 6));
  CHECK(third * half == Fraction(1, 6));
  CHECK(third / half == Fraction(2, 3));
  CHECK(third < half);
  CHECK(Fraction(-1, 2) < Fraction(-1, 3));
  // Two neighbours that no double tells apart.
  Fraction const a(4611686018427387903, 4611686018427387904);
  Fraction const b(4611686018427387902, 4611686018427387903);
  CHECK(a.to_double() == b.to_double());
  CHECK(b < a);
  CHECK((parse_fraction(".1") + parse_fraction(".2")).text() == "3/10");
}

TEST_CASE("text reads back") {
  for (Fraction const f : {Fraction(139, 140), Fraction(1), Fraction(0), Fraction(-7, 3)}) {
    CHECK(parse_fraction(f.text()) == f);
  }
  CHECK(Fraction(139, 140).text() == "139/140");
  CHECK(Fraction(1, 4).to_double() == 0.25);
}

}  // namespace
}  // namespace draftgauge
