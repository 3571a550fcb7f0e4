#include "sim/base/written_number.h"

#include <bit>
#include <catch2/catch.hpp>
#include <charconv>
#include <cmath>
#include <iterator>
#include <random>
#include <vector>
#include "tests/message.h"

namespace draftgauge {
namespace {

/// What Python's repr prints: the fewest digits that tell the double, with an exponent of two digits at least below
/// 1e-4 and from 1e16 on.
std::string repr(double value) {
  char digits[400];
  bool const plain = value == 0 || (std::abs(value) >= 1e-4 && std::abs(value) < 1e16);
  auto const end =
      std::to_chars(digits, std::end(digits), value, plain ? std::chars_format::fixed : std::chars_format::scientific)
          .ptr;
  std::string text(digits, end);
  return plain && text.find('.') == text.npos ? text + ".0" : text;
}

std::string number_error(std::string_view text) {
  return testing::message<Error>([&] { parse_written(text); });
}

TEST_CASE("every double reads back from what Python prints of it") {
  for (auto const& [text, value] :
       {std::pair("1e-05", 1e-05), std::pair("5e-324", 5e-324), std::pair("0.30000000000000004", .1 + .2),
        std::pair("0.0001844683579314187", 0.0001844683579314187), std::pair("1.8446744073709552e+19", 0x1p64),
        std::pair("1.7976931348623157e+308", 0x1.fffffffffffffp1023), std::pair("2.2250738585072014e-308", 0x1p-1022),
        std::pair("9007199254740993.0", 9007199254740992.0), std::pair("0.0", 0.0)}) {
    INFO(text);
    CHECK(parse_written(text).value == value);
  }
  std::mt19937_64 random(1);
  auto const reads_back = [](double value) {
    std::string const text = repr(value);
    WrittenNumber const read = parse_written(text);
    INFO(text);
    REQUIRE(read.value == value);
    // The text of a fraction is a ratio, of which two conversions are rounded.
    double const again = parse_written(read.text()).value;
    REQUIRE(std::abs(again - value) <= (read.exact ? std::abs(value) * 0x1p-51 : 0));
  };
  for (int i = 0; i < 20'000; ++i) {
    double const any = std::bit_cast<double>(random());
    if (std::isfinite(any)) reads_back(any);
    double const share = std::ldexp(static_cast<double>(random() >> 11), -53);
    reads_back(share);
    reads_back(share * 1e-3);
    reads_back(share * 1e3);
  }
}

TEST_CASE("a written number is exact where it fits a fraction") {
  CHECK(parse_written(".3").exact == Fraction(3, 10));
  CHECK(parse_written("1/3").exact == Fraction(1, 3));
  CHECK(parse_written("-0").value == 0);
  CHECK_FALSE(std::signbit(parse_written("-0").value));
  CHECK(parse_written("+1e30").value == 1e30);
  CHECK_FALSE(parse_written("0.0001844683579314187").exact);
  CHECK(parse_written("1e30/3").value == Approx(1e30 / 3));
  for (char const* zero : {"0/1e-30", "-0/1e-30", "0.0/1e30", "0/12345678901234567890123"}) {
    INFO(zero);  // a ratio is 0 where what is above is, and out of range where it only comes near
    CHECK((parse_written(zero).value == 0 && parse_written(zero).exact == Fraction(0)));
    CHECK_FALSE(std::signbit(parse_written(zero).value));
  }
  CHECK(parse_written("0.0001844683579314187").text() == "0.0001844683579314187");
  CHECK(parse_written("0.25").text() == "1/4");
}

// Sources are known by what they say of themselves: read again it must say the same (found by a fuzzer).
TEST_CASE("a number says of itself what it is read as, with more digits than fit, too") {
  std::string const eights(80, '8'), thirds(60, '3');
  for (std::string const& text :
       std::vector<std::string>{"." + eights, "0." + thirds, eights, "1e-300", "1e300", thirds + "/" + eights}) {
    INFO(text);
    std::string const once = parse_written(text).text();
    CHECK(parse_written(once).text() == once);
  }
  CHECK(parse_written("." + eights).text() == "1111111111111111/1250000000000000");
}

TEST_CASE("beyond the doubles is an error, and what is no number stays none") {
  for (char const* text :
       {"1e400", "1e-400", "2e-324", "1e99999999999", "1e300/1e-300", "1e-300/1e300", "1e-400/1e-400"}) {
    INFO(text);
    CHECK(number_error(text) ==
          "'" + std::string(text) +
              "' is out of range (numbers are read from 4.9e-324 to 1.8e308, and 0) write one within");
  }
  // A part that fits no fraction does not hide what is wrong with the rest.
  for (char const* text : {"12345678901234567890123x", "1e30/x", "1e99999999999x", "1e-30/2/3", "nan", "inf", "1 "}) {
    INFO(text);
    CHECK(number_error(text) ==
          "'" + std::string(text) +
              "' is not a number (decimals and ratios are read exactly) write it like 0.25, 1e-3 or "
              "1/3");
  }
  CHECK(number_error("1e30/0") == "'1e30/0' divides by 0 (it has no value) write a number other than 0 below the /");
}

}  // namespace
}  // namespace draftgauge
