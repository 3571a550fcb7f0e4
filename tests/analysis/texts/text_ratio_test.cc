#include "analysis/texts/text_ratio.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

using namespace draftgauge;

namespace {

auto sample_of(std::vector<double> lengths, std::size_t resamples = 0) {
  return std::make_shared<TextSample const>(std::move(lengths), resamples, 7);
}

/// What the figure would be of these texts, each taken so often.
double ratio_of(std::vector<double> const& x, std::vector<double> const& y, auto const& times) {
  return std::inner_product(x.begin(), x.end(), times.begin(), 0.0) /
         std::inner_product(y.begin(), y.end(), times.begin(), 0.0);
}

}  // namespace

TEST_CASE("a ratio over texts of one length has the delta method's interval") {
  std::vector<double> const t = {7, 7, 7, 7}, r = {2, 4, 3, 3};
  auto const sample = sample_of(t);
  TextEstimate const ratio = mean_over_texts(t, sample) / mean_over_texts(r, sample);
  // The same from sums of whole numbers.
  auto const known = ratio_interval({4, 28, 12, 196, 84, 38}, .95);
  auto const interval = delta_interval(ratio, .95);
  REQUIRE(interval);
  CHECK(interval->value == Approx(known->value));
  CHECK(interval->low == Approx(known->low));
  CHECK(interval->high == Approx(known->high));
  CHECK(interval->asymptotic);
  CHECK(sample->degrees() == Approx(3));
}

TEST_CASE("what is certain has no error, and a resample that does not define another figure leaves it alone") {
  auto const sample = sample_of({1, 1}, 20);
  TextEstimate const one = certain(1, sample);
  CHECK((one.value == 1 && one.standard_error() == 0 && one.texts_agree()));
  CHECK(one.resampled == std::vector<double>(20, 1.));
  std::vector<double> const nothing = {0, 1};  // of a resample that takes the first text twice
  TextEstimate const ratio = mean_over_texts(nothing, sample) / mean_over_texts(nothing, sample);
  CHECK(std::ranges::any_of(ratio.resampled, [](double r) { return std::isnan(r); }));
  CHECK(certain(1, ratio.sample).resampled == one.resampled);
}

TEST_CASE("texts of different lengths weigh what they weigh") {
  std::vector<double> const lengths = {1, 1, 4}, sums = {.5, 1, 2};
  auto const sample = sample_of(lengths);
  CHECK(sample_of({2, 2, 2, 1, 1})->degrees() == Approx(14. * 14 / 50 - 1));
  CHECK(sample->degrees() == 1);  // (1 + 1 + 16)²/(1 + 1 + 256) − 1 = .26 is less than the least
  TextEstimate const mean = mean_over_texts(sums, sample) / mean_over_texts(lengths, sample);
  CHECK(mean.value == Approx(3.5 / 6));
  // d_i = (x_i − ρ T_i)/ΣT
  double const rho = 3.5 / 6;
  double const d[] = {(.5 - rho) / 6, (1 - rho) / 6, (2 - 4 * rho) / 6};
  for (std::size_t i = 0; i < 3; ++i) CHECK(mean.influence[i] == Approx(d[i]));
  CHECK(mean.standard_error() ==
        Approx(std::sqrt(d[0] * d[0] / (5. / 6) + d[1] * d[1] / (5. / 6) + d[2] * d[2] / (2. / 6))));
}

TEST_CASE("influences are derivatives, and resamples are what the texts would have said") {
  std::vector<double> const x = {3, 1, 4, 1, 5}, y = {2, 7, 1, 8, 3};
  auto const sample = sample_of({1, 2, 3, 4, 5}, 50);
  auto const mean = [&](std::vector<double> const& v) { return mean_over_texts(v, sample); };
  // A figure with every operator in it.
  auto const figure = [](auto const& a, auto const& b) { return (a * b + 2.) / (a - b) + a * 3.; };
  TextEstimate const root =
      figure(mean(x), mean(y)).through([](double v) { return v * v; }, [](double v) { return 2 * v; });
  auto const weighted = [&](std::vector<double> const& v, std::vector<double> const& w) {
    return std::inner_product(v.begin(), v.end(), w.begin(), 0.0) / std::accumulate(w.begin(), w.end(), 0.0);
  };
  auto const at = [&](std::vector<double> const& w) {
    double const f = figure(weighted(x, w), weighted(y, w));
    return f * f;
  };
  CHECK(root.value == Approx(at({1, 1, 1, 1, 1})));
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> more(5, 1), less(5, 1);
    more[i] += 1e-4;
    less[i] -= 1e-4;
    CHECK(root.influence[i] == Approx((at(more) - at(less)) / 2e-4).epsilon(1e-6));
  }
  REQUIRE(root.resampled.size() == 50);
  for (std::size_t b = 0; b < 50; ++b) {
    auto const times = sample->times(b);
    CHECK(std::accumulate(times.begin(), times.end(), 0u) == 5);
    CHECK(root.resampled[b] == Approx(at({times.begin(), times.end()})));
  }
}

TEST_CASE("what cannot be said has no interval") {
  auto const one = sample_of({5}, 10);
  TextEstimate const figure = mean_over_texts(std::vector<double>{2}, one);
  CHECK(figure.value == 2);
  CHECK_FALSE(delta_interval(figure, .95));
  CHECK_FALSE(bootstrap_interval(figure, .95));
  auto const two = sample_of({5, 6}, 10);
  TextEstimate const zero = mean_over_texts(std::vector<double>{0, 1}, two);
  TextEstimate const inverse = mean_over_texts(std::vector<double>{1, 1}, two) / zero;
  CHECK(delta_interval(inverse, .95));
  CHECK_FALSE(bootstrap_interval(inverse, .95));  // some resamples divide by 0
  CHECK_FALSE(bootstrap_interval(mean_over_texts(std::vector<double>{1, 2}, sample_of({1, 1})), .95));
  CHECK_FALSE(delta_interval(zero / (zero * 0.), .95));
  // Both texts say .3 a token, but for rounding: nothing says how far others would lie apart.
  TextEstimate const alike =
      mean_over_texts(std::vector<double>{.3 * 5, .3 * 6}, two) / mean_over_texts(std::vector<double>{5, 6}, two);
  CHECK((alike.texts_agree() && !inverse.texts_agree()));
  CHECK_FALSE(delta_interval(alike, .95));
  CHECK_FALSE(bootstrap_interval(alike, .95));
  CHECK_FALSE(unpaired_interval(alike, inverse, .95));
  CHECK_THROWS_AS(zero + figure, std::logic_error);
  CHECK_THROWS_AS(mean_over_texts(std::vector<double>{1}, two), std::logic_error);
  CHECK_THROWS_AS(TextSample({}, 1, 1), std::logic_error);
}

TEST_CASE("resamples are a function of their arguments, and take every text as often") {
  TextSample const a({1, 1, 1}, 9000, 4), b({1, 1, 1}, 9000, 4), other({1, 1, 1}, 9000, 5);
  CHECK(a == b);
  CHECK_FALSE(a == other);
  std::vector<double> taken(3);
  bool differs = false;
  for (std::size_t k = 0; k < 9000; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      REQUIRE(a.times(k)[i] == b.times(k)[i]);
      differs |= a.times(k)[i] != other.times(k)[i];
      taken[i] += a.times(k)[i];
    }
  CHECK(differs);
  // Binomial(27 000, 1/3): five standard deviations, false alarm 2e-6.
  for (double const count : taken) CHECK(count == Approx(9000).margin(5 * std::sqrt(6000.)));
}

TEST_CASE("the percentile interval") {
  TextEstimate figure{sample_of({1, 1}, 101), 50, {1, -1}, std::vector<double>(101)};
  std::iota(figure.resampled.rbegin(), figure.resampled.rend(), 0.);
  auto const interval = bootstrap_interval(figure, .9);
  REQUIRE(interval);
  CHECK(interval->low == Approx(5));
  CHECK(interval->high == Approx(95));
  CHECK(interval->value == 50);
}
