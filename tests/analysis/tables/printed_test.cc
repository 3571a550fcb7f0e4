#include "analysis/tables/printed.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>

#include "analysis/theory/closed_form.h"

using namespace draftgauge;

TEST_CASE("a printed decimal stands for what rounds to it") {
  Printed const alpha = printed("0.75");
  CHECK(alpha.value == .75);
  CHECK(alpha.low == Approx(.745).epsilon(1e-15));
  CHECK(alpha.high == Approx(.755).epsilon(1e-15));
  CHECK(alpha.decimals == 2);
  CHECK(printed("63").low == 62.5);
  CHECK(printed("63").decimals == 0);
  CHECK(printed(".5").high == Approx(.55));
  CHECK(chosen("0.6").low == .6);
  CHECK(chosen("0.6").high == .6);
  for (char const* bad : {"", ".", "1e3", "-1", "1,5", "1.2.3", "x"})
    CHECK_THROWS_WITH(printed(bad), "'" + std::string(bad) + "' is no plain decimal");
}

TEST_CASE("the range over rounded inputs holds every value in it, and is reached") {
  Printed const alpha = printed("0.68"), cost = printed("0.04");
  auto const speedup = [](double a, double c) { return theory::speedup(a, 5, c); };
  Recomputed const again = recomputed(std::array{alpha, cost}, speedup);
  CHECK(again.value == theory::speedup(.68, 5, .04));
  CHECK(again.low == theory::speedup(alpha.low, 5, cost.high));
  CHECK(again.high == theory::speedup(alpha.high, 5, cost.low));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 10'000; ++i) {
    double const a = alpha.low + share(random) * (alpha.high - alpha.low);
    double const c = cost.low + share(random) * (cost.high - cost.low);
    double const s = speedup(a, c);
    CHECK((again.low <= s && s <= again.high));
  }
}

TEST_CASE("a figure follows, follows within rounding, or does not") {
  CHECK(agreement(printed("3.2"), {3.1575, 3.0, 3.3}) == Agreement::follows);
  CHECK(agreement(printed("2.4"), {2.3467, 2.27, 2.42}) == Agreement::within_rounding);  // 2.4 itself is in the range
  CHECK(agreement(printed("2.0"), {1.9338, 1.90, 1.971}) == Agreement::within_rounding);  // 1.96 is printed as 2.0
  CHECK(agreement(printed("2.0"), {1.9338, 1.90, 1.949}) == Agreement::does_not_follow);
  CHECK(agreement(printed("2.0"), {2.1, 2.051, 2.2}) == Agreement::does_not_follow);
  CHECK(agreement(printed("2.0"), {2.05, 2.05, 2.05}) == Agreement::follows);  // on the border, which either may take
  CHECK(agreement(printed("2.0"), {1.95, 1.95, 1.95}) == Agreement::follows);
  CHECK(to_string(Agreement::follows) == "follows");
  CHECK(to_string(Agreement::within_rounding) == "follows within rounding");
  CHECK(to_string(Agreement::does_not_follow) == "does not follow");
}
