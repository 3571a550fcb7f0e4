#include "analysis/stats/goodness.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/draws.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("G by hand") {
  Goodness const test = g_test(Counts{300, 500, 200}, Probabilities{.25, .5, .25});
  CHECK(test.statistic == Approx(2 * (300 * std::log(1.2) + 200 * std::log(.8))).epsilon(1e-14));
  CHECK(test.cells == 3);
  CHECK(test.pooled == 0);
  // Williams' 1 + (Σ 1/p − 1)/(6nd), and the next order.
  CHECK(test.correction == Approx(1 + (9. / 1000 + (36. - 10) / 1e6) / 12).epsilon(1e-14));
  CHECK(test.p_value == Approx(std::exp(-test.statistic / test.correction / 2)).epsilon(1e-12));  // χ² of 2 degrees
  CHECK(g_test(Counts{250, 500, 250}, Probabilities{.25, .5, .25}).p_value == 1);
  CHECK(g_test(Counts{0, 100}, Probabilities{.5, .5}).statistic == Approx(200 * std::log(2.)));
  CHECK(g_test(Counts{900, 100}, Probabilities{.1, .9}).statistic == Approx(2 * 800 * std::log(9.)).epsilon(1e-13));
}

TEST_CASE("G keeps its digits at 1e13 draws") {
  std::uint64_t const half = 5'000'000'000'000, shift = 2'000'000;
  double const d = static_cast<double>(shift) / static_cast<double>(half);
  CHECK(g_test(Counts{half + shift, half - shift}, Probabilities{.5, .5}).statistic ==
        Approx(2 * static_cast<double>(half) * d * d).epsilon(1e-6));
}

TEST_CASE("an impossible outcome fails at once, whatever else was seen") {
  Goodness const test = g_test(Counts{500'000, 500'000, 1}, Probabilities{.5, .5, 0});
  CHECK(test.p_value == 0);
  CHECK(test.impossible == 2u);
  CHECK_FALSE(test.asymptotic);
  CHECK(test.zeros == 1);
  Goodness const possible = g_test(Counts{500, 500, 0}, Probabilities{.5, .5, 0});
  CHECK_FALSE(possible.impossible);
  CHECK(possible.asymptotic);
  CHECK_FALSE(g_test(Counts{1, 1, 0}, Probabilities{.5, .5, 0}).asymptotic);  // one cell: nothing was tested
}

TEST_CASE("pooling: by the distribution alone, smallest first") {
  // Expected 250, 210, 30, 10 of 500: the last two pool to 40, below 50, so 210 joins them.
  Goodness const test = g_test(Counts{250, 210, 30, 10}, Probabilities{.5, .42, .06, .02});
  CHECK(test.cells == 2);
  CHECK(test.pooled == 3);
  Goodness const enough = g_test(Counts{230, 210, 35, 25}, Probabilities{.46, .42, .07, .05});
  CHECK(enough.cells == 3);
  CHECK(enough.pooled == 2);
  Goodness const nothing = g_test(Counts{3, 1}, Probabilities{.5, .5});  // 4 draws: one pool, nothing to test
  CHECK(nothing.cells == 1);
  CHECK(nothing.p_value == 1);
  CHECK(g_test(Counts{0, 0}, Probabilities{.5, .5}).p_value == 1);
  CHECK(g_test(Counts{9}, Probabilities{1}).p_value == 1);
}

TEST_CASE("the false alarm of G is what it says down to 1e-10: exact, by summing over all counts of two cells") {
  double worst = 0;
  for (auto const& [draws, probability] :
       {std::pair{100, .5}, {125, .4}, {200, .25}, {500, .1}, {5000, .01}, {500'000, 1e-4}, {1000, .1}, {4000, .5}}) {
    boost::math::binomial const binomial(draws, probability);
    std::vector<std::pair<double, double>> outcomes;  // the p-value and the probability of each count
    for (int k = 0; k <= std::min(draws, 3000); ++k) {
      auto const count = static_cast<std::uint64_t>(k);
      Counts const counts = {count, static_cast<std::uint64_t>(draws) - count};
      outcomes.emplace_back(g_test(counts, Probabilities{probability, 1 - probability}).p_value, pdf(binomial, k));
    }
    std::sort(outcomes.begin(), outcomes.end());
    double alarms = 0;  // P(p-value ≤ this one)
    for (auto const& [p_value, chance] : outcomes) {
      alarms += chance;
      if (p_value > 1e-10 && p_value < 1e-2) worst = std::max(worst, alarms / p_value);
    }
  }
  INFO("worst ratio of true to stated false alarm " << worst);
  CHECK(worst > 1);
  CHECK(worst < 2.5);
}

TEST_CASE("G is divided by its mean: exact, by summing over all counts of two cells") {
  for (auto const& [draws, probability] : {std::pair{200, .25}, {500, .1}, {5000, .01}, {1000, .5}}) {
    boost::math::binomial const binomial(draws, probability);
    double mean = 0, correction = 0;
    for (int k = 0; k <= draws; ++k) {
      auto const count = static_cast<std::uint64_t>(k);
      Goodness const test = g_test(Counts{count, static_cast<std::uint64_t>(draws) - count},
                                   Probabilities{probability, 1 - probability});
      mean += pdf(binomial, k) * test.statistic;
      correction = test.correction;
    }
    CAPTURE(draws, probability);
    CHECK(correction > 1);
    CHECK(mean == Approx(correction).epsilon(2e-5));  // the first order alone is off by 7e-5
  }
}

namespace {

/// One outcome of probability a half and `small` others, each expected 50 times: the most cells that so many draws
/// test.
Probabilities half_and(std::size_t small) {
  Probabilities law(small + 1, .5 / static_cast<double>(small));
  law[0] = .5;
  return law;
}

/// Counts of a sample whose small cells are drawn from Poisson(50) exp(t g), g their share of G, and the logarithm of
/// how much likelier they are by the law than so drawn.
class Tilted {
 public:
  Tilted(std::size_t small, double t) : small_(small), t_(t) {
    double total = 0;
    for (int x = 0; x < 400; ++x) total += weight_.emplace_back(std::exp(log_poisson(x, expected) + t * share(x)));
    log_moment_ = std::log(total);
    counts_ = std::discrete_distribution<int>(weight_.begin(), weight_.end());
  }

  /// none where the small cells alone are more than all draws
  std::optional<double> draw(Counts& counts, std::mt19937_64& bits) {
    auto const all = static_cast<std::int64_t>(2 * expected * static_cast<double>(small_));
    double shares = 0;
    std::int64_t left = all;
    for (std::size_t i = 1; i <= small_; ++i) {
      int const x = counts_(bits);
      counts[i] = static_cast<std::uint64_t>(x);
      shares += share(x);
      left -= x;
    }
    if (left < 0) return std::nullopt;
    counts[0] = static_cast<std::uint64_t>(left);
    // A multinomial is independent Poissons, given their sum.
    auto const n = static_cast<double>(all);
    return static_cast<double>(small_) * log_moment_ - t_ * shares + log_poisson(static_cast<double>(left), n / 2) -
           log_poisson(n, n);
  }

 private:
  static constexpr double expected = 50;
  static double log_poisson(double x, double mean) { return x * std::log(mean) - mean - std::lgamma(x + 1); }
  static double share(double x) { return 2 * ((x > 0 ? x * std::log(x / expected) : 0) - x + expected); }

  std::size_t small_;
  double t_, log_moment_ = 0;
  std::vector<double> weight_;
  std::discrete_distribution<int> counts_;
};

struct Tail {
  double chance, error;
};

/// P(p-value ≤ level) of samples of the law, by importance sampling.
Tail tail(std::size_t small, double level, int samples) {
  Probabilities const law = half_and(small);
  auto const degrees = static_cast<double>(small);
  double const critical = quantile(complement(boost::math::chi_squared(degrees), level));
  Tilted tilted(small, (1 - degrees / critical) / 2);
  std::mt19937_64 bits(23);
  Counts counts(law.size());
  double sum = 0, squares = 0;
  for (int i = 0; i < samples; ++i) {
    auto const log_weight = tilted.draw(counts, bits);
    if (!log_weight || g_test(counts, law).p_value > level) continue;
    sum += std::exp(*log_weight);
    squares += std::exp(2 * *log_weight);
  }
  double const mean = sum / samples;
  return {mean, std::sqrt((squares / samples - mean * mean) / samples)};
}

}  // namespace

TEST_CASE("the false alarm of G is what it says with many sparse cells, far out in the tail") {
  // By importance sampling; margins: 4 standard errors, and 3 % for what the correction leaves.
  for (auto const& [small, level, samples] :
       {std::tuple{std::size_t{31}, 1e-7, 20'000}, {1023, 1e-7, 3'000}, {32'767, 1e-7, 400}, {32'767, .01, 200}}) {
    Tail const seen = tail(small, level, samples);
    CAPTURE(small, level, seen.chance / level, seen.error / level);
    CHECK(seen.error < .2 * level);
    CHECK(std::abs(seen.chance - level) < 4 * seen.error + .03 * level);
  }
}

TEST_CASE("noncentrality for power .9") {
  CHECK(detectable_noncentrality(2, .05, .9) == Approx(10.5074).epsilon(1e-4));  // (1.95996 + 1.28155)²
  CHECK(detectable_noncentrality(2, 1e-8, .9) == Approx(std::pow(5.73073 + 1.28155, 2)).epsilon(1e-4));
  CHECK(detectable_noncentrality(64, 1e-8, .9) > detectable_noncentrality(8, 1e-8, .9));
  // Many cells: χ²(d, λ) is nearly normal with variance 2d + 4λ.
  double const degrees = 262'143;
  CHECK(detectable_noncentrality(262'144, 1e-8, .9) ==
        Approx((5.612 + 1.28155) * std::sqrt(2 * degrees)).epsilon(.01));
}

namespace {

double found_at(Counts const& counts, Probabilities const& law, double false_alarm = .01) {
  return detectable_tv(g_test(counts, law), false_alarm, .9).value();
}

}  // namespace

TEST_CASE("the detectable distance: cells, the pool, and outcomes that cannot be") {
  CHECK(found_at(Counts{500'000, 500'000}, Probabilities{.5, .5}, .05) ==
        Approx(std::sqrt(10.5074e-6) / 2).epsilon(1e-4));
  CHECK_FALSE(detectable_tv(g_test(Counts{0, 0}, Probabilities{.5, .5}), .01, .9));
  // 500 draws: .42, .06 and .02 are one cell, in which .46 of mass can come from elsewhere than the least.
  Goodness const pooled = g_test(Counts{250, 210, 30, 10}, Probabilities{.5, .42, .06, .02});
  CHECK(pooled.hidden_tv == Approx(.48).epsilon(1e-12));
  CHECK(detectable_tv(pooled, .01, .9).value() ==
        Approx(.48 + std::sqrt(detectable_noncentrality(2, .01, .9) / 500) / 2).epsilon(1e-12));
  CHECK(g_test(Counts{300, 500, 200}, Probabilities{.25, .5, .25}).hidden_tv == 0);
  // One pool of all there is finds nothing, unless there is what cannot be.
  CHECK_FALSE(detectable_tv(g_test(Counts{3, 1}, Probabilities{.7, .3}), .01, .9));
  CHECK(found_at(Counts{15, 5, 0}, Probabilities{.7, .3, 0}) == Approx(.7 + 1 - std::pow(.1, .05)).epsilon(1e-12));
  CHECK_FALSE(detectable_tv(g_test(Counts{3, 1, 0}, Probabilities{.7, .3, 0}), .01, .9));  // .7 + .44
  // One outcome is possible: a law at distance w shows another in n draws with probability 1 − (1 − w)^n.
  double const certain = found_at(Counts{1000, 0}, Probabilities{1, 0});
  CHECK(1 - std::pow(1 - certain, 1000) == Approx(.9).epsilon(1e-12));
  CHECK(found_at(Counts{9}, Probabilities{1}) == 0);  // no other law is
  CHECK(found_at(Counts{5000, 5000, 0}, Probabilities{.5, .5, 0}) -
            found_at(Counts{5000, 5000}, Probabilities{.5, .5}) ==
        Approx(1 - std::pow(.1, 1e-4)).epsilon(1e-9));
}

TEST_CASE("planned draws are those at which the test finds the distance, pool included") {
  Probabilities const even(32, 1. / 32);
  std::uint64_t const draws = draws_to_detect(even, .01, 1e-8, .9).value();
  auto const at = [](Probabilities const& law, std::uint64_t n) {
    Counts counts(law.size(), 0);
    counts[0] = n;
    return detectable_tv(g_test(counts, law), 1e-8, .9).value();
  };
  CHECK(at(even, draws) <= .01);
  CHECK(at(even, draws - 1) > .01);
  CHECK(static_cast<double>(draws) == Approx(detectable_noncentrality(32, 1e-8, .9) / 4e-4).epsilon(1e-5));
  // Half the mass in ten thousand outcomes: λ/(4 tv²) draws would leave all of it in the pool.
  Probabilities heavy(10'001, .5e-4);
  heavy[0] = .5;
  std::uint64_t const many = draws_to_detect(heavy, .2, 1e-8, .9).value();
  CHECK(many >= 1'000'000);
  CHECK(at(heavy, many) <= .2);
  CHECK(at(heavy, 50'000) > .2);
  CHECK_FALSE(draws_to_detect(even, 1e-10, 1e-8, .9));
  CHECK(draws_to_detect(Probabilities{1, 0}, .5, 1e-8, .9) == 4u);  // 1 − .5⁴ ≥ .9
}

TEST_CASE("every wrong distribution at the detectable distance is found, wherever its mass moves") {
  // 40 laws over 24 outcomes, about half the mass in outcomes that 2 000 draws pool; each wrong law moves as much as
  // it can unseen inside the pool and the rest between the cells tested. 400 samples at false alarm .01 and power .9:
  // found in less than .9 − .083 by chance with probability 2e-8 (5.5 standard deviations), plus .01 for asymptotics.
  std::mt19937_64 bits(17);
  std::exponential_distribution<double> weight;
  constexpr int draws = 2000;
  for (int trial = 0; trial < 40; ++trial) {
    Probabilities right(24);
    double large = 0, small = 0;
    for (std::size_t x = 0; x < 4; ++x) large += right[x] = .5 + weight(bits);
    for (std::size_t x = 4; x < 24; ++x) small += right[x] = .1 + weight(bits);
    double const share = .05 + .015 * (trial % 20);
    for (std::size_t x = 0; x < 24; ++x) right[x] *= x < 4 ? (1 - share) / large : share / small;
    Goodness const plan = g_test(draw(right, draws, bits), right);
    double const tv = detectable_tv(plan, .01, .9).value();
    REQUIRE(plan.pooled > 1);
    // The outcomes of the pool, the least first; all its mass goes there.
    std::vector<std::size_t> order(24);
    for (std::size_t x = 0; x < 24; ++x) order[x] = x;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return right[a] < right[b]; });
    Probabilities hidden = right;
    for (std::size_t i = 1; i < plan.pooled; ++i) {
      hidden[order[0]] += right[order[i]];
      hidden[order[i]] = 0;
    }
    double const moved = tv - plan.hidden_tv;
    Probabilities wrong = hidden;  // and from the greatest cell to the next, half and half with the pool
    std::size_t const greatest = order[23], next = order[22];
    wrong[greatest] -= moved;
    (trial % 2 == 0 ? wrong[next] : wrong[order[0]]) += moved;
    REQUIRE(wrong[greatest] > 0);
    int found = 0, unseen = 0;
    for (int sample = 0; sample < 400; ++sample) {
      found += g_test(draw(wrong, draws, bits), right).p_value < .01;
      unseen += g_test(draw(hidden, draws, bits), right).p_value < .01;
    }
    CAPTURE(trial, tv, plan.hidden_tv, plan.pooled);
    CHECK(found / 400. >= .9 - .093);
    CHECK(unseen / 400. < .06);
    // √(λ/n)/2 alone is no detectable distance: the unseen law is farther away than that.
    if (share > .2) CHECK(plan.hidden_tv > tv - plan.hidden_tv);
  }
}

TEST_CASE("G finds what it claims to find, and no more false alarms than it states") {
  // 2 000 samples, false alarm .01, the worst direction at equal TV: half the cells up and half down by the same
  // share. Margins: 4.9 standard deviations (false alarm of these checks 2e-6) and .01 for the asymptotics.
  std::mt19937_64 bits(11);
  Probabilities const right(8, .125);
  int const draws = 2000;
  double const tv = found_at(Counts(8, draws / 8), right);
  Probabilities wrong = right;
  for (std::size_t i = 0; i < 8; ++i) wrong[i] += (i % 2 == 0 ? 1 : -1) * tv / 4;
  int found = 0, alarms = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    found += g_test(draw(wrong, draws, bits), right).p_value < .01;
    alarms += g_test(draw(right, draws, bits), right).p_value < .01;
  }
  CHECK(found / 2000. == Approx(.9).margin(.043));
  CHECK(alarms / 2000. < .01 + .011 + .01);
  CHECK(alarms > 0);
}

TEST_CASE("G finds what it claims to find among many sparse cells") {
  // 200 samples at false alarm .01 and power .9: fewer than .78 by chance have probability 2e-7.
  std::mt19937_64 bits(29);
  Probabilities const right(1024, 1. / 1024);
  int const draws = 51'200;  // 50 expected counts a cell
  double const tv = found_at(Counts(1024, 50), right);
  Probabilities wrong = right;
  for (std::size_t i = 0; i < right.size(); ++i) wrong[i] += (i % 2 == 0 ? 2 : -2) * tv / 1024;
  int found = 0;
  for (int sample = 0; sample < 200; ++sample) found += g_test(draw(wrong, draws, bits), right).p_value < .01;
  CAPTURE(tv, found);
  CHECK(found >= 156);
  CHECK(found <= 195);  // nor is what it claims far too much
}

TEST_CASE("goodness of fit refuses what makes no sense") {
  CHECK(message([] { (void)g_test(Counts{1, 2}, Probabilities{1}); }) ==
        "2 counts against a distribution of 1 outcomes (each outcome has one count) give as many, at least one");
  CHECK(message([] { (void)g_test(Counts{}, Probabilities{}); }) ==
        "0 counts against a distribution of 0 outcomes (each outcome has one count) give as many, at least one");
  CHECK(message([] { (void)g_test(Counts{1, 2}, Probabilities{.5, -.5}); }) ==
        "an entry of the distribution is -0.5 (a distribution's entries are probabilities) give finite numbers, 0 or "
        "more");
  CHECK(message([] { (void)g_test(Counts{1, 2}, Probabilities{.5, .25}); }) ==
        "the sum of the distribution is 0.75 (a distribution sums to 1) divide its entries by their sum");
  CHECK(message([] { (void)detectable_noncentrality(1, .01, .9); }) ==
        "a test of fewer than two cells (it finds nothing) give two or more");
  CHECK(message([] { (void)detectable_noncentrality(3, .5, 1); }) ==
        "`power` is 1 (it is the probability of finding an effect that is there) give a number between 0 and 1, such "
        "as 0.9");
  CHECK(message([] { (void)detectable_noncentrality(3, .5, .2); }) ==
        "`power` is 0.2 (a test alarms with its false alarm even if nothing is wrong) give more than the false "
        "alarm, 0.5");
  CHECK(message([] { (void)draws_to_detect(Probabilities{.5, .5}, 0, .01, .9); }) ==
        "`tv` is 0 (it is a total variation distance) give a number between 0 and 1");
}
