#include "analysis/stats/interval.h"

#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "analysis/stats/false_alarm.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

RatioSums sums_of(std::vector<std::pair<std::uint64_t, std::uint64_t>> const& trials) {
  RatioSums s{};
  for (auto const& [t, r] : trials) s.add(t, r);
  return s;
}

}  // namespace

TEST_CASE("the suite's false alarm is shared out and never exceeded") {
  CHECK(false_alarm_share(1) == 1e-6);
  CHECK(false_alarm_share(40) * 40 == Approx(suite_false_alarm));
  CHECK(false_alarm_share(0) == suite_false_alarm);
  CHECK(false_alarm_share(4, .2) == .05);
}

TEST_CASE("Clopper-Pearson") {
  Interval const two_of_ten = binomial_interval(2, 10, .95).value();
  CHECK(two_of_ten.value == .2);
  CHECK(two_of_ten.low == Approx(.0252107).margin(1e-7));  // tabulated in Clopper and Pearson's charts and every text
  CHECK(two_of_ten.high == Approx(.5560955).margin(1e-7));
  Interval const none = binomial_interval(0, 10, .95).value();
  CHECK(none.low == 0);
  CHECK(none.high == Approx(1 - std::pow(.025, .1)).epsilon(1e-13));
  Interval const all = binomial_interval(10, 10, .95).value();
  CHECK(all.low == Approx(std::pow(.025, .1)).epsilon(1e-13));
  CHECK(all.high == 1);
  CHECK_FALSE(binomial_interval(0, 0, .95));
  Interval const large = binomial_interval(800'000'000'000, 1'000'000'000'000, 1 - 1e-8).value();
  CHECK(large.high - large.value == Approx(5.7307 * 4e-7).epsilon(1e-4));
  CHECK(large.value - large.low == Approx(5.7307 * 4e-7).epsilon(1e-4));
  // The two ways meet where one takes over from the other.
  for (std::uint64_t const n : {25'000'000ull, 1'000'000'000ull}) {
    Interval const exact = binomial_interval(10'000'000, n, .999).value();
    Interval const outer = binomial_interval(10'000'001, n, .999).value();
    double const count = 1 / static_cast<double>(n);
    CHECK(outer.low - exact.low == Approx(0).margin(count));
    CHECK(outer.high - exact.high == Approx(2 * count).margin(count));
  }
}

TEST_CASE("Clopper-Pearson covers with at least its confidence: exact coverage, no chance in this test") {
  for (std::uint64_t const n : {1, 7, 30}) {
    for (double const truth : {.003, .1, .37, .5, .8}) {
      for (double const confidence : {.5, .9, .999}) {
        double covered = 0;
        for (std::uint64_t k = 0; k <= n; ++k) {
          if (binomial_interval(k, n, confidence)->covers(truth)) {
            covered += pdf(boost::math::binomial(static_cast<double>(n), truth), static_cast<double>(k));
          }
        }
        CHECK(covered >= confidence);
      }
    }
  }
}

TEST_CASE("the ratio interval is Student's where every trial has one round") {
  Interval const interval = ratio_interval(sums_of({{1, 1}, {2, 1}, {4, 1}, {6, 1}}), .95).value();
  CHECK(interval.value == 3.25);
  double const radius = 3.182446305 * std::sqrt(14.75 / 3) / 2;  // t(3) at .975, s² = 14.75/3
  CHECK(interval.high == Approx(3.25 + radius).margin(1e-8));
  CHECK(interval.low == Approx(3.25 - radius).margin(1e-8));
  CHECK(interval.asymptotic);
  CHECK(residual_squares(sums_of({{1, 1}, {2, 1}, {4, 1}, {6, 1}})) == Approx(14.75).epsilon(1e-14));
  CHECK(residual_squares({}) == 0);
}

TEST_CASE("the ratio interval by hand, two trials of unequal length") {
  // ρ = 9/5; residuals 5 − 2ρ = 1.4 and 4 − 3ρ = −1.4: error = √(2/1 · 3.92)/5.
  Interval const interval = ratio_interval(sums_of({{5, 2}, {4, 3}}), .5).value();
  CHECK(interval.value == 1.8);
  CHECK(interval.high - 1.8 == Approx(1.0 * std::sqrt(7.84) / 5).epsilon(1e-12));  // t(1) at .75 is 1
}

TEST_CASE("the ratio interval loses nothing to cancellation and knows when there is none") {
  // 2^30 trials of 2^10 rounds; half emit 2^12 tokens, half one more. Sums are near 2^54, the spread is 1/2.
  std::uint64_t const n = 1u << 30, r = 1u << 10, t = 1u << 12;
  RatioSums const sums{n,        n * t + n / 2, n * r, n / 2 * t * t + n / 2 * (t + 1) * (t + 1), r * (n * t + n / 2),
                       n * r * r};
  Interval const interval = ratio_interval(sums, .95).value();
  CHECK(interval.high - interval.value == Approx(1.959964 * .5 / std::sqrt(double(n)) / double(r)).epsilon(1e-6));
  CHECK_FALSE(ratio_interval(sums_of({{3, 1}}), .95));
  CHECK_FALSE(ratio_interval(sums_of({{0, 0}, {0, 0}}), .95));
  Interval const equal = ratio_interval(sums_of({{3, 1}, {3, 1}}), .95).value();
  CHECK(equal.low == equal.high);
  CHECK(message([] { (void)ratio_interval({2, 4, 2, 1, 4, 2}, .95); }) ==
        "the sums of a tally contradict each other (no trials have these squares and products) count them again");
}

TEST_CASE("the bounded interval holds for few and skewed values, where Student's does not") {
  // A value that is 1 except with probability 1e-3, then 6: exact coverage over the number of sixes in 200 trials.
  double student = 0, bounded = 0;
  double const truth = 1 + 5e-3;
  for (std::uint64_t k = 0; k <= 200; ++k) {
    double const probability = pdf(boost::math::binomial(200, 1e-3), static_cast<double>(k));
    RatioSums const sums{200, 200 + 5 * k, 200, 200 + 35 * k, 200 + 5 * k, 200};
    if (ratio_interval(sums, .99)->covers(truth)) student += probability;
    if (bounded_ratio(sums, 1, 6, 1, .99)->interval.covers(truth)) bounded += probability;
  }
  CHECK(student < .2);
  CHECK(bounded >= .99);
  RatioSums const trials = sums_of({{10, 4}, {12, 4}, {11, 4}});
  Measured const estimate = bounded_ratio(trials, 1, 6, 4, .9).value();
  double const log = std::log(40.);
  CHECK(estimate.interval.value == 2.75);
  CHECK(estimate.interval.high - 2.75 == Approx(.25 * std::sqrt(2 * log / 3) + 35 * log / 6).epsilon(1e-12));
  CHECK_FALSE(estimate.interval.asymptotic);
  CHECK_FALSE(bounded_ratio(sums_of({{3, 1}}), 1, 6, 1, .9));
  CHECK_FALSE(bounded_ratio(sums_of({{0, 0}, {0, 0}}), 1, 6, 1, .9));
  CHECK(message([&] { (void)bounded_ratio(trials, 6, 1, 4, .9); }) ==
        "the range of the values is -5 (the interval needs bounds that hold for certain) give a least and a greatest "
        "value");
  CHECK(message([&] { (void)bounded_ratio(trials, 1, 6, 3, .9); }) ==
        "the most rounds of a trial is 3 (its trials have more on average) give a bound that holds");
  CHECK(message([] { (void)bounded_ratio({2, 4, 2, 8, 4, 1}, 1, 6, 3, .9); }) ==
        "the sums of a tally contradict each other (no trials have these squares and products) count them again");
}

TEST_CASE("the bounded interval covers the ratio of trials that differ in length: exact") {
  // A trial is 1 round of 1 token, or with probability w 4 rounds of 1 or 4 of 6 tokens, so that length and ratio go
  // together. Summed over all counts of the three kinds in 60 trials.
  auto const choose = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  for (double const w : {1e-9, .02, .3, .45}) {
    double const rounds = 1 - 2 * w + 8 * w, tokens = 1 - 2 * w + 28 * w;
    double missed = 0, none = 0;
    for (std::uint64_t a = 0; a <= 60; ++a) {
      for (std::uint64_t b = 0; a + b <= 60; ++b) {
        std::uint64_t const c = 60 - a - b;
        double const probability = std::exp(choose(60, double(a)) + choose(60. - double(a), double(b)) +
                                            double(a + b) * std::log(w) + double(c) * std::log1p(-2 * w));
        RatioSums const sums{60,
                             4 * a + 24 * b + c,
                             4 * a + 4 * b + c,
                             16 * a + 576 * b + c,
                             16 * a + 96 * b + c,
                             16 * a + 16 * b + c};
        auto const found = bounded_ratio(sums, 1, 6, 4, .5);
        if (!found) {
          none += probability;
        } else if (!found->interval.covers(tokens / rounds)) {
          missed += probability;
        }
      }
    }
    CAPTURE(w);
    CHECK(missed <= .5);
    CHECK(none < 1e-9);
  }
  // By hand: ρ̂ = 9/5, residuals ±1.4, lengths 2 and 3, at most 4: s(D) = 1.4√2, s(r) = 1/√2, r̄ = 2.5.
  RatioSums const two = sums_of({{5, 2}, {4, 3}});
  double const log = std::log(4 / .99);
  CHECK(bounded_ratio(two, 1, 6, 4, .01)->interval.high - 1.8 ==
        Approx((1.4 * std::sqrt(2 * log) + 7 * 20 * log / 3) / (2.5 - std::sqrt(log / 2))).epsilon(1e-12));
  CHECK_FALSE(bounded_ratio(sums_of({{3, 1}, {300, 100}}), 1, 6, 100, .99));  // lengths too unlike for two trials
}

namespace {

/// Calls f(histogram, probability) for every count k of the greatest of `values` values in n draws, the others being
/// the least; those of probability below 1e-18 are left out.
template <class F>
void over_two_points(std::size_t values, std::uint64_t n, double w, F f) {
  boost::math::binomial const law(static_cast<double>(n), w);
  std::vector<std::uint64_t> histogram(values);
  for (std::uint64_t k = 0; k <= n; ++k) {
    double const probability = pdf(law, static_cast<double>(k));
    if (probability < 1e-18) continue;
    histogram.front() = n - k;
    histogram.back() = k;
    f(histogram, probability);
  }
}

}  // namespace

TEST_CASE("the variance's interval by hand") {
  std::vector<std::uint64_t> const histogram = {1, 1, 0, 1, 0, 1};  // 0, 1, 3, 5: mean 2.25, squares below
  std::vector<double> const squares = {5.0625, 1.5625, .5625, 7.5625};
  double const m = 14.75 / 4, log = std::log(160.), slope = std::sqrt(2 * log / 4);
  double spread = 0;
  for (double const y : squares) spread += (y - m) * (y - m) / 3;
  double const s = std::sqrt(14.75 / 3);
  double const r = s * slope + 7 * 5 * log / 9;
  double const rho = (std::sqrt(spread) + 2 * r * s) * slope + 7 * 25 * log / 9;
  Interval const interval = variance_estimate(histogram, .95)->interval;
  CHECK(interval.value == Approx(14.75 / 3).epsilon(1e-14));
  CHECK(interval.high == Approx(m + r * r + rho).epsilon(1e-13));
  CHECK(interval.low == 0);
  CHECK_FALSE(interval.asymptotic);
  CHECK_FALSE(variance_estimate(std::vector<std::uint64_t>{0, 1}, .95));
  CHECK_FALSE(variance_estimate(std::vector<std::uint64_t>{}, .95));
  CHECK(variance_estimate(std::vector<std::uint64_t>{7}, .95)->interval.high == 0);  // one value: no variance
  // 1e9 geometric counts up to 6 at false alarm 1e-8.
  std::vector<std::uint64_t> const many = {200'000'000, 160'000'000, 128'000'000,
                                           102'400'000, 81'920'000,  327'680'000};
  Measured const sharp = variance_estimate(many, 1 - 1e-8).value();
  CHECK(sharp.interval.value == Approx(3.86409).margin(5e-6));
  CHECK(sharp.interval.low == Approx(sharp.interval.value - 5.157e-4).margin(1e-6));
  CHECK(sharp.interval.high == Approx(sharp.interval.value + 5.158e-4).margin(1e-6));
  CHECK(sharp.detectable == Approx(6.50e-4).margin(1e-6));
}

TEST_CASE("the variance's interval covers at every distribution, rare events too: exact, no chance in this test") {
  for (std::size_t const values : {2, 6}) {
    for (std::uint64_t const n : {2ull, 30ull, 1000ull, 100'000ull}) {
      double const five_events = std::min(.5, 5 / static_cast<double>(n));
      for (double const w : {1e-9, five_events, 1 - five_events, 1 - 1e-10, .5, .97}) {
        for (double const false_alarm : {.1, 1e-8}) {
          double const range = static_cast<double>(values - 1);
          double missed = 0;
          over_two_points(values, n, w, [&](auto const& histogram, double probability) {
            if (!variance_estimate(histogram, 1 - false_alarm)->interval.covers(range * range * w * (1 - w)))
              missed += probability;
          });
          CAPTURE(values, n, w, false_alarm);
          CHECK(missed <= false_alarm);
        }
      }
    }
  }
}

TEST_CASE("what is detectable is found with the power stated: exact, against claims without any variance") {
  // The claim: every value is the least. The truth: with probability w it is the greatest. A sample that agrees with
  // the claim must not promise more than a sample of the truth keeps; the plain radius, without what the deviation
  // adds to the spread, does.
  for (std::uint64_t const n : {1000ull, 50'000ull}) {
    std::vector<std::uint64_t> const agreeing = {n, 0, 0, 0, 0, 0};
    Measured const variance = variance_estimate(agreeing, 1 - 1e-6).value();
    double const w = (1 - std::sqrt(1 - 4 * variance.detectable / 25)) / 2;
    double found = 0;
    over_two_points(6, n, w, [&](auto const& histogram, double probability) {
      if (variance_estimate(histogram, 1 - 1e-6)->interval.low > 0) found += probability;
    });
    CHECK(found >= .9);

    Measured const mean = bounded_ratio({n, n, n, n, n, n}, 1, 6, 1, 1 - 1e-6).value();
    CHECK(mean.detectable > 1.5 * (mean.interval.high - 1));
    auto const power = [&](double shift) {
      double sum = 0;
      over_two_points(6, n, shift / 5, [&](auto const& histogram, double probability) {
        std::uint64_t const k = histogram.back();
        if (bounded_ratio({n, n + 5 * k, n, n + 35 * k, n + 5 * k, n}, 1, 6, 1, 1 - 1e-6)->interval.low > 1)
          sum += probability;
      });
      return sum;
    };
    CAPTURE(n, variance.detectable, mean.detectable);
    CHECK(power(mean.detectable) >= .9);
    CHECK(power(mean.interval.high - 1) < .1);
  }
}

TEST_CASE("verdict") {
  CHECK(judge(true, std::nullopt, .1) == Verdict::fails);
  CHECK(judge(false, .05, .1) == Verdict::holds);
  CHECK(judge(false, .2, .1) == Verdict::inconclusive);
  CHECK(judge(false, std::nullopt, .1) == Verdict::inconclusive);
  CHECK(judge(false, NAN, .1) == Verdict::inconclusive);
}

TEST_CASE("intervals refuse what is outside their domain") {
  std::string const tail =
      " (it is the probability that an interval covers the truth) give a number between 0 and 1, such as 0.95";
  CHECK(message([] { (void)binomial_interval(1, 2, 1); }) == "`confidence` is 1" + tail);
  CHECK(message([] { (void)ratio_interval({}, 0); }) == "`confidence` is 0" + tail);
  CHECK(message([] { (void)variance_estimate({}, NAN); }) == "`confidence` is nan" + tail);
  CHECK(message([] { (void)bounded_ratio({}, 0, 1, 1, 2); }) == "`confidence` is 2" + tail);
  CHECK(message([] { (void)binomial_interval(3, 2, .95); }) ==
        "3 successes in 2 trials (each trial succeeds once at most) count again");
}

TEST_CASE("spread of draws is their standard deviation over n") {
  CHECK(spread_of(std::vector<double>{1, 3}) == 1);
  CHECK(spread_of(std::vector<double>{-2, 0, 2, 0}) == Approx(std::sqrt(2)));
  CHECK(spread_of(std::vector<double>{7}) == 0);
}
