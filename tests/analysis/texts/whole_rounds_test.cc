#include "analysis/texts/whole_rounds.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/theory/closed_form.h"

using namespace draftgauge;

namespace {

/// Texts of one acceptance at every token.
TextEstimates recording(std::vector<int> const& lengths, double acceptance, int gamma, bool bonus = true) {
  TokenTrace trace;
  trace.name = "even";
  trace.temperature = 1;
  for (int const length : lengths) {
    TextTrace& text = trace.texts.emplace_back();
    text.log_p.assign(static_cast<std::size_t>(length), -1);
    text.log_q.assign(static_cast<std::size_t>(length), -1 + std::log(acceptance));
  }
  return {trace, EstimateOptions::of_these({gamma}, bonus)};
}

}  // namespace

TEST_CASE("whole rounds of independent acceptances are Eq. (1)'s at every length of a text") {
  for (int const gamma : {1, 4, 6})
    for (bool const bonus : {true, false}) {
      CAPTURE(gamma, bonus);
      TextEstimates const found = recording({9, 24, 60}, .8, gamma, bonus);
      auto const rounds = whole_rounds(found, Estimator::replay, gamma);
      REQUIRE(rounds);
      // Wald: the number of rounds up to a token is a stopping time.
      CHECK(rounds->tokens.value == Approx(theory::expected_tokens(.8, gamma, bonus)));
      CHECK(rounds->tokens.value >= found.tokens_per_round(Estimator::replay, gamma)->value);
    }
}

TEST_CASE("whole rounds that are cut at a text's end are those of replay") {
  constexpr int gamma = 4, length = 30;
  TextEstimates const longer = recording({length + gamma, length + gamma}, .7, gamma),
                      cut = recording({length, length}, .7, gamma);
  auto const rounds = whole_rounds(longer, Estimator::replay, gamma);
  REQUIRE(rounds);
  double const replayed = cut.tokens_per_round(Estimator::replay, gamma)->value;
  CHECK(rounds->cut_at(length).value == Approx(replayed));
  // By survival the last token lies anywhere in its round: of long texts.
  auto const by_eq1 = whole_rounds(longer, Estimator::iid, gamma);
  CHECK(by_eq1->past.value == Approx(rounds->past.value).epsilon(.01));
  CHECK(whole_rounds(longer, Estimator::survival, gamma)->past.value == Approx(by_eq1->past.value));
  // The block rule goes by ratios of whole rounds: of equal acceptances it keeps more.
  CHECK(whole_rounds(longer, Estimator::replay_block, gamma)->tokens.value >= rounds->tokens.value);
  CHECK_FALSE(whole_rounds(longer, Estimator::replay_argmax, gamma));
}

TEST_CASE("of last rounds that are whole or cut the reading nearest to the measured is taken") {
  auto const rounds = whole_rounds(recording({30, 30, 40}, .7, 4), Estimator::replay, 4);
  REQUIRE(rounds);
  double const whole = rounds->tokens.value, cut = rounds->cut_at(24).value;
  REQUIRE(cut < whole - .02);
  CHECK(rounds->nearest(whole + 1, 24).tokens.value == Approx(whole));
  CHECK(rounds->nearest(whole + 1, 24).whole == 1);
  CHECK(rounds->nearest(cut - 1, 24).tokens.value == Approx(cut));
  CHECK(rounds->nearest(cut - 1, 24).whole == 0);
  double const between = .25 * whole + .75 * cut;
  CHECK(rounds->nearest(between, 24).tokens.value == Approx(between));
  CHECK(rounds->nearest(between, 24).whole == Approx(.25));
}
