#include "analysis/stats/betting_test.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("a bet's capital by hand") {
  BettingTest bet;
  CHECK(bet.log_capital() == Approx(0).margin(1e-12));
  CHECK(bet.p_value() == 1);
  bet.step({.5, 1}, {-.5, 1});
  bet.step({-1, 1}, {1, 1});  // λ = 1 upwards is ruined
  double capital = 0, lambda = 1;
  for (int i = 0; i < BettingTest::stakes; ++i, lambda /= 2)
    capital += ((1 + lambda / 2) * (1 - lambda) + (1 - lambda / 2) * (1 + lambda)) / (2 * BettingTest::stakes);
  CHECK(bet.log_capital() == Approx(std::log(capital)));
}

TEST_CASE("capital beyond a double's range") {
  BettingTest bet;
  for (int i = 0; i < 10'000; ++i) bet.step({1, 1}, {-1, 1});
  CHECK(bet.log_capital() == Approx(10'000 * std::log(2) - std::log(2 * BettingTest::stakes)));
  CHECK(bet.p_value() == 0);
  MixtureOdds odds;
  for (int i = 0; i < 10'000; ++i) odds.step(-4, -1);
  CHECK(odds.log_odds() == Approx(30'000 - std::log(MixtureOdds::stakes)));
}

// Its mean is 1 under the law bet on: of 20 000 sums the mean is within 5 standard errors of it, probability 6e-7.
TEST_CASE("a fair game's capital has mean 1") {
  Random random(5);
  double sum = 0, squares = 0;
  int const runs = 20'000;
  for (int i = 0; i < runs; ++i) {
    BettingTest bet;
    for (int t = 0; t < 5; ++t) {
      double const mean = .1 + .2 * t, d = (random.uniform() < mean) - mean;
      bet.step({d, 1}, {-d, 1});
    }
    double const capital = std::exp(bet.log_capital());
    sum += capital;
    squares += capital * capital;
  }
  double const mean = sum / runs;
  CHECK(std::abs(mean - 1) < 5 * std::sqrt((squares / runs - mean * mean) / runs));
}

// Beyond e^709 a ratio is no double. The account λ has λq/p, so that the mean over λ is q/p times the mean of λ.
TEST_CASE("odds for tokens of log p far below what a double's exponential holds") {
  for (double const log_p : {-30., -724., -800., -9999.}) {
    MixtureOdds odds;
    odds.step(log_p, -.5);
    double const mean_stake = (2 - std::exp2(1 - MixtureOdds::stakes)) / MixtureOdds::stakes;
    CHECK(odds.log_odds() == Approx(-.5 - log_p + std::log(mean_stake)));
    odds.step(-.5, log_p);  // and back: each account multiplies by 1 − λ, λ = 1 by next to 0
    CHECK(std::isfinite(odds.log_odds()));
    CHECK(odds.log_odds() > -log_p - 6);
  }
  CHECK(log_mean_exp(std::array{0., HUGE_VAL}) == HUGE_VAL);
  CHECK(log_mean_exp(std::array{-HUGE_VAL, -HUGE_VAL}) == -HUGE_VAL);
}

TEST_CASE("odds for a mixture are the same either side of where the formula changes") {
  for (double const d : {1 - 1e-9, 1 + 1e-9}) {
    MixtureOdds odds;
    odds.step(-2, d - 2);
    double sum = 0, lambda = 1;
    for (int i = 0; i < MixtureOdds::stakes; ++i, lambda /= 2) sum += 1 + lambda * std::expm1(d);
    CHECK(odds.log_odds() == Approx(std::log(sum / MixtureOdds::stakes)).epsilon(1e-12));
  }
}

TEST_CASE("odds for a mixture over texts leave out those that p excludes") {
  TokenTrace trace;
  trace.texts = {{.log_p = {-1, -2}, .log_q = {-2, -1}}, {.log_p = {-1, -HUGE_VAL}, .log_q = {-1, -1}}};
  MixtureOdds odds;
  odds.step(-1, -2);
  odds.step(-2, -1);
  auto const log_q = [](TextTrace const& text, std::size_t t) { return text.log_q[t]; };
  CHECK(mixture_odds(trace, log_q).value() == odds.log_odds());
  trace.texts.erase(trace.texts.begin());
  CHECK_FALSE(mixture_odds(trace, log_q));
}

TEST_CASE("odds for a mixture of two distributions") {
  MixtureOdds odds;
  odds.step(std::log(.5), std::log(.25));
  odds.step(std::log(.5), -HUGE_VAL);  // q excludes it
  double sum = 0, lambda = 1;
  for (int i = 0; i < MixtureOdds::stakes; ++i, lambda /= 2) sum += (1 - lambda / 2) * (1 - lambda);
  CHECK(odds.log_odds() == Approx(std::log(sum / MixtureOdds::stakes)));
}
