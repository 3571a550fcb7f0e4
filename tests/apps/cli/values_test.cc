#include "apps/cli/values.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

template <class Parse>
std::string error_of(Parse parse, std::string_view text) {
  return testing::message<Error>([&] { parse(text); });
}

TEST_CASE("counts are exact whole numbers") {
  CHECK(parse_count("0") == 0);
  CHECK(parse_count("1000000") == 1'000'000);
  CHECK(parse_count("1e9") == 1'000'000'000);
  CHECK(parse_count("2.5M") == 2'500'000);
  CHECK(parse_count("10G") == 10'000'000'000);
  CHECK(parse_count("3k") == 3000);
  CHECK(parse_count("1.5e1k") == 15'000);
  CHECK(parse_count("9T") == 9'000'000'000'000);
  CHECK(parse_count("9223372036854775807") == INT64_MAX);
}

TEST_CASE("what is no count is refused with the reason") {
  for (char const* text :
       {"", "-1", "2.5", "1.2345k", "x", "M", "1/2", "4/2", "1e-3", "1MM", "0x10", "1 000", "1e", "-"}) {
    INFO(text);
    CHECK(error_of(parse_count, text) == "'" + std::string(text) +
                                             "' is not a count (a whole number of at least 0) write it like 1000000, "
                                             "1e9 or 2.5M");
  }
  for (char const* text : {"9223372036854775808", "1e19", "10000000T", "1e999999999999"}) {
    INFO(text);
    CHECK(error_of(parse_count, text) ==
          "'" + std::string(text) +
              "' is not a count that fits 64 bits (counts are exact up to 9.2e18) use a "
              "smaller one");
  }
}

TEST_CASE("lists of counts are entries and ranges") {
  using Counts = std::vector<std::int64_t>;
  CHECK(parse_counts("5") == Counts{5});
  CHECK(parse_counts("1,2,4") == Counts{1, 2, 4});
  CHECK(parse_counts("1..4") == Counts{1, 2, 3, 4});
  CHECK(parse_counts("1..3,8,1k") == Counts{1, 2, 3, 8, 1000});
  CHECK(parse_counts("7..7") == Counts{7});
  CHECK(parse_counts("9223372036854775806..9223372036854775807") == Counts{INT64_MAX - 1, INT64_MAX});
  CHECK(parse_counts("0..99998,1").size() == 100'000);
  for (char const* text : {"", ",", "1,", ",1", "1,,2"}) {
    INFO(text);
    CHECK(error_of(parse_counts, text) ==
          "'" + std::string(text) +
              "' has an empty entry (a list is entries with commas between them) write "
              "it like 1,2,4");
  }
  CHECK(error_of(parse_counts, "4..1") ==
        "'4..1' runs backwards (a range goes from the smaller to the larger) write 1..4");
  CHECK(error_of(parse_counts, "1..1T") ==
        "'1..1T' has more than 100000 entries (each one is a result of its own) shorten the list");
  CHECK(error_of(parse_counts, "0..9223372036854775807") ==
        "'0..9223372036854775807' has more than 100000 entries (each one is a result of its own) shorten the list");
  CHECK(error_of(parse_counts, "0..99998,1,1,0..1T") ==
        "'0..99998,1,1,0..1T' has more than 100000 entries (each one is a result of its own) shorten the list");
  for (char const* text : {"1-5", "1,1-5"})
    CHECK(error_of(parse_counts, text) == "'1-5' is not a count (a range is written with two points) write 1..5");
  CHECK(error_of(parse_counts, "1-x").starts_with("'1-x' is not a count (a whole number"));
  CHECK(error_of(parse_counts, "1..") ==
        "'' is not a count (a whole number of at least 0) write it like 1000000, 1e9 or 2.5M");
}

TEST_CASE("numbers keep to their domain") {
  CHECK(parse_number("1/3") == Fraction(1, 3));
  CHECK(parse_numbers(".3,.4,.3") == std::vector<Fraction>{{3, 10}, {2, 5}, {3, 10}});
  CHECK(error_of(parse_number, "-.5") ==
        "-.5 is negative (costs, weights and probabilities are at least 0) drop the sign");
}

TEST_CASE("a range of trials leaves its end to the next one") {
  CHECK(parse_range("0..1M") == Range{0, 1'000'000});
  CHECK(error_of(parse_range, "5") == "'5' is not a range (a..b, the trials a to b − 1) write it like 0..1M");
  CHECK(error_of(parse_range, "5..5") ==
        "'5..5' holds no trials (a..b are the trials a to b − 1) make b larger than a");
  CHECK(error_of(parse_range, "9..5") ==
        "'9..5' holds no trials (a..b are the trials a to b − 1) make b larger than a");
}

TEST_CASE("amounts of memory have units of 1024s") {
  CHECK(parse_bytes("4G") == std::uint64_t{4} << 30);
  CHECK(parse_bytes("512M") == 512 << 20);
  CHECK(parse_bytes("1.5GiB") == std::uint64_t{3} << 29);
  CHECK(parse_bytes("64K") == 65536);
  CHECK(parse_bytes("2TiB") == std::uint64_t{1} << 41);
  CHECK(parse_bytes("100") == 100);
  for (char const* text : {"0", "", "G", "iB", "4iB", "4GB", "-4G", "4 G", "1e9", ".1", "9999999999T"}) {
    INFO(text);
    CHECK(error_of(parse_bytes, text) ==
          "'" + std::string(text) +
              "' is not an amount of memory (a number of bytes, or with a unit of 1024s) write it like 512M or 4G");
  }
}

TEST_CASE("times have units") {
  CHECK(parse_duration("30s").count() == 30);
  CHECK(parse_duration("500ms").count() == Approx(0.5));
  CHECK(parse_duration("1.5m").count() == 90);
  CHECK(parse_duration("2h").count() == 7200);
  CHECK(parse_duration("30").count() == 30);
  CHECK(parse_duration(".5").count() == 0.5);
  for (char const* text : {"0", "0s", "", "1d"}) {
    INFO(text);
    CHECK(error_of(parse_duration, text) ==
          "'" + std::string(text) +
              "' is not a time (a number above 0, in seconds or with a unit) write it like 500ms, "
              "30s, 5m or 2h");
  }
  CHECK(error_of(parse_duration, "-3s") ==
        "-3 is negative (costs, weights and probabilities are at least 0) drop the sign");
}

}  // namespace
}  // namespace draftgauge
