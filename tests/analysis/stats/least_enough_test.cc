#include "analysis/stats/least_enough.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace draftgauge {
namespace {

constexpr std::uint64_t exact = std::numeric_limits<std::uint64_t>::max();

auto from(std::uint64_t first) {
  return [first](std::uint64_t n) { return n >= first; };
}

}  // namespace

TEST_CASE("the least number that is enough: exact, or to a share of it and never below") {
  for (std::uint64_t const first : {1ull, 2ull, 3ull, 1000ull, 1023ull, 1025ull, 2047ull, 123'456'789ull}) {
    CAPTURE(first);
    CHECK(least_enough(from(first), 1, std::uint64_t{1} << 63, exact) == first);
    std::uint64_t const near = least_enough(from(first), 1, std::uint64_t{1} << 63, 1024).value();
    CHECK(near >= first);
    CHECK(near - first <= first / 1024);
  }
}

TEST_CASE("the least number that is enough: nothing below the least is asked about, and none beyond the most") {
  auto const asked = [](std::uint64_t n) {
    CHECK(n >= 2);
    return n >= 7;
  };
  CHECK(least_enough(asked, 2, 1 << 20, exact) == 7u);
  CHECK(least_enough(from(1), 2, 1 << 20, exact) == 2u);
  CHECK(least_enough(from(std::uint64_t{1} << 63), 1, std::uint64_t{1} << 63, exact) == std::uint64_t{1} << 63);
  CHECK_FALSE(least_enough([](std::uint64_t) { return false; }, 1, std::uint64_t{1} << 63, exact));
}

TEST_CASE("the least real number that is enough: where none is, that is said after as many doublings as there are") {
  int asked = 0;
  CHECK(std::isinf(least_real_enough([&](double) { return ++asked > 5000; })));
  CHECK(asked == 1024);
  CHECK(least_real_enough([](double x) { return x >= 777; }) == Approx(777));
}

}  // namespace draftgauge
