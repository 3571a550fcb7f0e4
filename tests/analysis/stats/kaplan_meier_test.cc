#include "analysis/stats/kaplan_meier.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "sim/base/error.h"

using namespace draftgauge;

namespace {

using Histograms = std::vector<std::vector<std::int64_t>>;

}  // namespace

TEST_CASE("Kaplan and Meier by hand: rounds of two and of four drafts") {
  // Of 100 rounds with γ = 2, 20 keep none, 16 one, 64 both; of 50 with γ = 4, 10, 8, 8, 4 keep 0 to 3, and 20 all.
  KaplanMeier const found = kaplan_meier(Histograms{{20, 16, 64}, {10, 8, 8, 4, 20}});
  CHECK(found.rounds == 150);
  CHECK(found.reached == std::vector<std::uint64_t>{150, 120, 32, 24});
  CHECK(found.rejected == std::vector<std::uint64_t>{30, 24, 8, 4});
  REQUIRE(found.survival.size() == 4);
  CHECK(found.survival[0] == Approx(.8));
  CHECK(found.survival[1] == Approx(.8 * .8));
  CHECK(found.survival[2] == Approx(.8 * .8 * .75));
  CHECK(found.survival[3] == Approx(.8 * .8 * .75 * 5 / 6));
  // One histogram: the shares of rounds that kept so many.
  CHECK(kaplan_meier(Histograms{{1, 2, 5}}).survival[1] == Approx(5. / 8));
  // Positions that nobody reached are unknown; a survival of 0 is known.
  CHECK(kaplan_meier(Histograms{{3, 1, 0, 0, 0}}).survival == std::vector<double>{.25, 0, 0, 0});
}

TEST_CASE("intervals from draws of survival curves cover the truth as often as they say") {
  // 400 experiments of 150 rounds at γ = 3 and 50 at γ = 5, true rates .8, .7, .75, .8, .6. The share of 90 %
  // intervals of survival that cover is within .90 ± .045, three standard errors: a false alarm of .003 for each of
  // the five.
  std::vector<double> const rates = {.8, .7, .75, .8, .6}, truth = survival_of_rates(rates);
  std::mt19937_64 coins(7);
  std::uniform_real_distribution<double> uniform;
  std::vector<int> covered(rates.size());
  constexpr int experiments = 400;
  for (int e = 0; e < experiments; ++e) {
    Histograms histograms = {{0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (int round = 0; round < 200; ++round) {
      std::vector<std::int64_t>& histogram = histograms[round < 150 ? 0 : 1];
      std::size_t kept = 0;
      while (kept + 1 < histogram.size() && uniform(coins) < rates[kept]) ++kept;
      ++histogram[kept];
    }
    auto const draws = survival_draws(kaplan_meier(histograms), 100, static_cast<std::uint64_t>(e));
    for (std::size_t i = 0; i < rates.size(); ++i) {
      std::vector<double> values;
      for (auto const& draw : draws) values.push_back(draw[i]);
      std::ranges::sort(values);
      covered[i] += values[5] <= truth[i] && truth[i] <= values[94];
    }
  }
  for (int const count : covered) CHECK(count / double{experiments} == Approx(.9).margin(.045));
}

TEST_CASE("draws are a function of their seed, and know that a rate of 1 may not be") {
  KaplanMeier const found = kaplan_meier(Histograms{{0, 0, 40}});
  CHECK(survival_draws(found, 5, 1) == survival_draws(found, 5, 1));
  CHECK(survival_draws(found, 5, 1) != survival_draws(found, 5, 2));
  for (auto const& draw : survival_draws(found, 50, 1)) {
    CHECK(draw[0] < 1);
    CHECK(draw[0] > .8);
    CHECK(draw[1] <= draw[0]);
  }
}

TEST_CASE("draws of very many rounds are those of a normal law") {
  // 10¹² rounds a count, the most there is: the shares are 2/3 and 1/2, known to a millionth.
  std::int64_t const most = most_rounds;
  auto const draws = survival_draws(kaplan_meier(Histograms{{most, most, most}}), 200, 1);
  for (std::vector<double> const& draw : draws) {
    CHECK(draw[0] == Approx(2. / 3).epsilon(1e-5));
    CHECK(draw[1] == Approx(1. / 3).epsilon(1e-5));
  }
  CHECK(draws[0][0] != draws[1][0]);
  // The two ways meet where one takes over from the other.
  auto const below = survival_draws(kaplan_meier(Histograms{{9'999'999, 20'000'000}}), 50, 1),
             above = survival_draws(kaplan_meier(Histograms{{10'000'001, 20'000'000}}), 50, 1);
  double const deviation = std::sqrt(2. / 9 / 3e7);
  for (std::size_t b = 0; b < below.size(); ++b) CHECK(std::abs(below[b][0] - above[b][0]) < .01 * deviation + 1e-7);
}

TEST_CASE("so many draws of so long drafts are refused") {
  CHECK_NOTHROW(require_draws(1000, 1000));
  CHECK_NOTHROW(require_draws(0, 4096));
  CHECK_THROWS_WITH(require_draws(1000, 1001),
                    "1000 resamples of drafts of up to 1001 tokens are too many (at most 1000000 resamples times "
                    "tokens are drawn) add `most` 1000, the longest draft to look at");
}

TEST_CASE("counts that say nothing are refused") {
  CHECK_THROWS_WITH(
      kaplan_meier(Histograms{}),
      "a histogram of rounds has no count (a round of γ drafts keeps 0 to γ of them) give γ + 1 counts, "
      "such as 30,20,10,40");
  CHECK_THROWS_WITH(
      kaplan_meier(Histograms{{1, 2}, {5}}),
      "a histogram of rounds has one count (a round of γ drafts keeps 0 to γ of them) give γ + 1 counts, "
      "such as 30,20,10,40");
  CHECK_THROWS_WITH(kaplan_meier(Histograms{{0, 0, 0}}),
                    "no round is counted (there is nothing to estimate from) give counts above 0");
  CHECK_THROWS_WITH(kaplan_meier(Histograms{{1, -1}}),
                    "a histogram of rounds has the count -1 (it counts rounds) give 0 to 1000000000000");
  CHECK_THROWS_WITH(
      survival_of_rates(std::vector<double>{.5, 1.5}),
      "the rate of draft 2 is 1.5 (it is the probability of acceptance after the drafts before it) give "
      "numbers from 0 to 1");
}
