#include "analysis/interval.h"

#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "analysis/false_alarm.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

RatioSums sums_of(std::vector<std::pair<std::uint64_t, std::uint64_t>> const& trials) {
  RatioSums s{};
  for (auto const& [t, r] : trials) {
    s.trials += 1;
    s.tokens += t;
    s.rounds += r;
    s.tokens2 += t * t;
    s.tokens_rounds += t * r;
    s.rounds2 += r * r;
  }
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
    if (bounded_ratio_interval(sums, 1, 6, .99)->covers(truth)) bounded += probability;
  }
  CHECK(student < .2);
  CHECK(bounded >= .99);
  RatioSums const trials = sums_of({{10, 4}, {12, 4}, {11, 4}});
  Interval const interval = bounded_ratio_interval(trials, 1, 6, .9).value();
  double const log = std::log(40.);
  CHECK(interval.value == 2.75);
  CHECK(interval.high - 2.75 == Approx(.25 * std::sqrt(2 * log / 3) + 35 * log / 6).epsilon(1e-12));
  CHECK_FALSE(bounded_ratio_interval(sums_of({{3, 1}, {3, 2}}), 1, 6, .9));
  CHECK_FALSE(bounded_ratio_interval(sums_of({{3, 1}}), 1, 6, .9));
  CHECK(message([&] { (void)bounded_ratio_interval(trials, 6, 1, .9); }) ==
        "the range of the values is -5 (the interval needs bounds that hold for certain) give a least and a greatest "
        "value");
}

TEST_CASE("mean and variance from a histogram") {
  std::vector<std::uint64_t> const histogram = {1, 1, 0, 1, 0, 1};  // values 1, 2, 4, 6
  Moments const moments = histogram_moments(histogram, 1, .95).value();
  CHECK(moments.mean.value == 3.25);
  CHECK(moments.mean.high == Approx(ratio_interval(sums_of({{1, 1}, {2, 1}, {4, 1}, {6, 1}}), .95)->high));
  CHECK(moments.variance.value == Approx(14.75 / 3));
  double const fourth = (std::pow(2.25, 4) + std::pow(1.25, 4) + std::pow(.75, 4) + std::pow(2.75, 4)) / 4;
  double const spread = (fourth - std::pow(14.75 / 3, 2) / 3) / 4;
  CHECK(moments.variance.high == Approx(14.75 / 3 + 1.959964 * std::sqrt(spread)).epsilon(1e-6));
  CHECK_FALSE(histogram_moments(std::vector<std::uint64_t>{0, 1}, 1, .95));
  CHECK_FALSE(histogram_moments(std::vector<std::uint64_t>{}, 1, .95));
}

TEST_CASE("the variance's interval covers as often as it says") {
  // 2 000 samples of 4 000 geometric counts, confidence .9. False alarm of this check 1e-6 (two-sided normal, ± 4.9
  // sd of a binomial, .033) plus .01 for the asymptotics; an interval that assumed normal counts would cover about 60
  // %.
  std::mt19937_64 bits(7);
  std::geometric_distribution<std::size_t> count(.5);
  int covered = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    std::vector<std::uint64_t> histogram(64);
    for (int i = 0; i < 4000; ++i) ++histogram[std::min<std::size_t>(count(bits), 63)];
    covered += histogram_moments(histogram, 0, .9)->variance.covers(2);
  }
  CHECK(covered / 2000. == Approx(.9).margin(.043));
}

TEST_CASE("Holm's procedure fails what it should, and more than Bonferroni's") {
  std::vector<double> const p_values = {.011, .9, .001, .04, .013};
  CHECK(holm_failures(p_values, .05) == std::vector<bool>{true, false, true, false, true});  // .01 .0125 .0167 .025
  CHECK(holm_failures(std::vector<double>{}, .05).empty());
  CHECK(holm_failures(std::vector<double>{.5, 0.}, 1e-6) == std::vector<bool>{false, true});
  CHECK(message([] { (void)holm_failures(std::vector<double>{NAN}, .05); }) ==
        "a p-value is nan (it is a probability) give a number from 0 to 1");
}

TEST_CASE("the detectable probability is exact: power .9 at the edge, below it just inside") {
  for (double const p0 : {.02, .5, .9}) {
    for (std::uint64_t const n : {200, 5000}) {
      CAPTURE(p0, n);
      double const false_alarm = 1e-3;
      auto const rejection = [&](double p, bool above) {
        double sum = 0;
        for (std::uint64_t k = 0; k <= n; ++k) {
          Interval const interval = binomial_interval(k, n, 1 - false_alarm).value();
          if (above ? interval.low > p0 : interval.high < p0) {
            sum += pdf(boost::math::binomial(static_cast<double>(n), p), static_cast<double>(k));
          }
        }
        return sum;
      };
      Detectable const found = detectable_probability(p0, n, false_alarm, .9);
      CHECK(rejection(found.high.value(), true) == Approx(.9).epsilon(1e-9));
      CHECK(*found.high > p0);
      if (p0 == .02 && n == 200) {
        CHECK_FALSE(found.low);  // no success at all has probability .0176: never an alarm
      } else {
        CHECK(rejection(found.low.value(), false) == Approx(.9).epsilon(1e-9));
        CHECK(*found.low < p0);
      }
    }
  }
  CHECK_FALSE(detectable_probability(.5, 3, 1e-6, .9).high);
  CHECK_FALSE(detectable_probability(.5, 0, 1e-6, .9).high);
  Detectable const impossible = detectable_probability(0, 1000, 1e-6, .9);  // one success is an alarm
  CHECK(impossible.high.value() == Approx(1 - std::pow(.1, 1e-3)).epsilon(1e-9));
  CHECK_FALSE(impossible.low);
  double const large = *detectable_probability(.8, 1'000'000'000'000, 1e-8, .9).high - .8;
  CHECK(large == Approx((5.7307 + 1.28155) * 4e-7).epsilon(1e-3));
}

TEST_CASE("detectable shift and verdict") {
  CHECK(detectable_shift(.1, 1'000'000'000, .05, .9).value() == Approx(.1 * (1.959964 + 1.281552)).epsilon(1e-6));
  CHECK_FALSE(detectable_shift(.1, 1, .05, .9));
  CHECK(judge(true, std::nullopt, .1) == Verdict::fails);
  CHECK(judge(false, .05, .1) == Verdict::holds);
  CHECK(judge(false, .2, .1) == Verdict::inconclusive);
  CHECK(judge(false, std::nullopt, .1) == Verdict::inconclusive);
  CHECK(judge(false, NAN, .1) == Verdict::inconclusive);
}

TEST_CASE("intervals refuse what is outside their domain") {
  std::string const tail =
      " (it is the probability that an interval covers the truth) give a number between 0 and 1, such as 0.95";
  CHECK(message([] { (void)binomial_interval(1, 2, 1); }) == "--confidence is 1" + tail);
  CHECK(message([] { (void)ratio_interval({}, 0); }) == "--confidence is 0" + tail);
  CHECK(message([] { (void)histogram_moments({}, 0, NAN); }) == "--confidence is nan" + tail);
  CHECK(message([] { (void)bounded_ratio_interval({}, 0, 1, 2); }) == "--confidence is 2" + tail);
  CHECK(message([] { (void)binomial_interval(3, 2, .95); }) ==
        "3 successes in 2 trials (each trial succeeds once at most) count again");
  CHECK(message([] { (void)holm_failures({}, 0); }) ==
        "--false-alarm is 0 (it is the probability of an alarm although all is well) give a number between 0 and 1, "
        "such as "
        "1e-6");
  CHECK(message([] { (void)detectable_shift(1, 9, .1, 1); }) ==
        "--power is 1 (it is the probability of finding an effect that is there) give a number between 0 and 1, such "
        "as 0.9");
  CHECK(message([] { (void)detectable_probability(2, 9, .1, .9); }) ==
        "a success probability is 2 (it is a probability) give a number from 0 to 1");
}
