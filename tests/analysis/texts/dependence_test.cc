#include "analysis/texts/dependence.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/analysis/reference_recordings.h"
#include "tests/analysis/text_population.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("autocorrelation by hand, and of numbers that do not vary") {
  auto const sample = std::make_shared<TextSample const>(std::vector<double>{4, 3}, 10, 1);
  // Lag 1 pairs: (0,1) (1,0) (0,1) and (1,0) (0,1): means 2/5, 3/5; covariance 0 − 6/25; variances 6/25.
  std::vector<std::vector<double>> const texts = {{0, 1, 0, 1}, {1, 0, 1}};
  auto const found = autocorrelation(texts, 5, sample);
  REQUIRE(found.size() >= 2);
  CHECK(found[0].lag == 1);
  CHECK(found[0].value.value == Approx(-1));
  CHECK(found[1].value.value == Approx(1));
  CHECK(found.back().lag <= 3);  // no text has a pair at 4
  CHECK(autocorrelation(std::vector<std::vector<double>>{{1, 1, 1, 1}, {1, 1, 1}}, 2, sample).empty());
  CHECK(message([&] { autocorrelation(texts, 0, sample); }) ==
        "`lags` is 0 (a number is compared with a later one) give 1 or more");
}

// One seed; 4000 texts. Five standard errors: false alarm 6e-7 a figure.
TEST_CASE("dependence of a population that is known") {
  TextPopulation const population;
  Random random(11);
  TextEstimates const found(population.draw(random, 4000), {.gammas = {1, 4}, .resamples = 0, .coin_runs = 0});
  Dependence const seen = dependence(found, 3);
  REQUIRE(seen.beta.size() == 3);
  // β is the state's: within a kind its correlation falls by 2·stay − 1 = .6 a token; a has noise of its own.
  CHECK(seen.beta[0].value.value > seen.beta[1].value.value);
  CHECK(seen.a[0].value.value < seen.beta[0].value.value);
  REQUIRE(seen.positions.size() == 4);
  for (Dependence::Position const& position : seen.positions) {
    CAPTURE(position.i);
    CHECK(std::abs(position.survival.value - population.survival(position.i)) <
          5 * position.survival.standard_error());
    CHECK(std::abs(position.geometric.value - std::pow(population.alpha(), position.i)) <
          5 * position.geometric.standard_error());
    if (position.i > 1) CHECK(position.excess.value > 5 * position.excess.standard_error());
    double const before = position.i == 1 ? 1 : population.survival(position.i - 1);
    CHECK(std::abs(position.conditional.value - population.survival(position.i) / before) <
          5 * position.conditional.standard_error());
  }
  REQUIRE(seen.gaps.size() == 2);
  Dependence::Gap const& gap = seen.gaps[1];
  CHECK(gap.difference.value == Approx(gap.runs.value + gap.starts.value + gap.ends.value));
  CHECK(gap.runs.value < 0);
  CHECK(gap.starts.value > 0);
}

TEST_CASE("independent acceptances along short texts: all of the gap is the texts' ends") {
  TokenTrace trace;
  for (int i = 0; i < 40; ++i) {
    std::size_t const length = 20 + static_cast<std::size_t>(i % 3);
    TextTrace text;
    text.log_p.assign(length, std::log(.8));
    text.log_q.assign(length, std::log(.6));  // a = .75 at every token
    trace.texts.push_back(text);
  }
  Dependence const seen = dependence(TextEstimates(trace, {.gammas = {1, 4}, .resamples = 0}), 1);
  for (Dependence::Gap const& gap : seen.gaps) {
    CHECK(gap.difference.value > .02);
    CHECK(gap.ends.value == Approx(gap.difference.value));
    CHECK(std::abs(gap.runs.value) < 1e-12);
    CHECK(std::abs(gap.starts.value) < 1e-12);
  }
}

TEST_CASE("the error of Eq. (1) in plain words") {
  auto const said = [](TokenTrace const& trace, int gamma) {
    return dependence_sentence(dependence(TextEstimates(trace, {.gammas = {gamma}})), gamma, .95);
  };
  TokenTrace q2k = reference_recording("q2k", "1");
  CHECK(said(q2k, 8) ==
        "Eq. (1) promises 2.72 tokens per round at γ = 8 where the text gives 2.66: 2.4 % too many (difference "
        "+0.063 ± "
        "0.055). It is the sum of -0.027 ± 0.034 since acceptances come in runs, +0.075 ± 0.044 since rounds start "
        "behind "
        "other rounds, which a rejection ends, +0.014 ± 0.0031 since texts end in the middle of a round.");
  CHECK(
      said(reference_recording("bigram", "1"), 1) ==
      "Eq. (1) promises 1.18 tokens per round at γ = 1 where the text gives 1.17: 0.52 % too many (difference "
      "+0.0061 "
      "± 0.0049). It is the sum of +0.0055 ± 0.0049 since rounds start behind other rounds, which a rejection ends, "
      "+0.00059 ± 0.00012 since texts end in the middle of a round.");
  CHECK(said(reference_recording("prune15", "1"), 1) ==
        "Eq. (1) promises 1.11 tokens per round at γ = 1 where the text gives 1.11: they cannot be told apart "
        "(difference "
        "+0.002 ± 0.005).");
  q2k.texts.resize(1);
  CHECK(said(q2k, 2) ==
        "Eq. (1) promises 2.09 tokens per round at γ = 2 where the text gives 2.05: one text does not say how much "
        "of that "
        "is luck.");
  CHECK(dependence_sentence(dependence(TextEstimates(q2k, {.gammas = {2}})), 3, .95).empty());
}
