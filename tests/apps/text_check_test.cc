#include "apps/text_check.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>

#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// A text of two tokens of p = (m, 1 − m), q = (k, 1 − k), the first with probability `truth`; log p and log q alone.
Scores two_columns(double m, double k, double truth, std::size_t length, Random& random) {
  Scores scores;
  scores.name = "columns";
  scores.texts.resize(1);
  for (std::size_t t = 0; t < length; ++t) {
    bool const first = random.word() * 0x1p-32 < truth;
    scores.texts.front().log_p.push_back(std::log(first ? m : 1 - m));
    scores.texts.front().log_q.push_back(std::log(first ? k : 1 - k));
  }
  return scores;
}

int refuted(double m, double k, double truth, std::size_t length, int runs) {
  Random random(11);
  int alarms = 0;
  for (int i = 0; i < runs; ++i) alarms += TextCheck(two_columns(m, k, truth, length, random)).refuted();
  return alarms;
}

}  // namespace

// The false alarm is 1e-4: 4 or more of 1 000 texts have probability 4e-6.
TEST_CASE("text check: a text of peaked laws that the target wrote is not refuted") {
  CHECK(refuted(.99, .9999, .99, 50, 1'000) < 4);
  CHECK(refuted(.999, .9999, .999, 1'000, 1'000) < 4);
  CHECK(refuted(.95, .99, .95, 60, 1'000) < 4);
  CHECK(refuted(.6, .8, .6, 200, 1'000) < 4);
}

// With KL(q‖p) = .104 per token 400 tokens are worth e^42 in the mean: found with probability .99 and more.
TEST_CASE("text check: a text of the draft's is found") { CHECK(refuted(.6, .8, .8, 400, 100) > 95); }

TEST_CASE("text check: all its tests share one false alarm") {
  Random random(1);
  Scores scores = two_columns(.6, .8, .6, 50, random);
  CHECK(TextCheck(scores).audit.false_alarm == Approx(text_alarm));
  CHECK(TextCheck(scores).words().empty());
  TextScores& text = scores.texts.front();
  text.beta.assign(50, .8);
  text.entropy_p.assign(50, -.6 * std::log(.6) - .4 * std::log(.4));
  CHECK(TextCheck(scores).audit.false_alarm == Approx(text_alarm / 3));
  text.log_p[3] = -HUGE_VAL;
  CHECK(TextCheck(scores).refuted());
  CHECK_FALSE(TextCheck(scores).log_odds);
  CHECK(TextCheck(scores).words() ==
        "One token of the text has probability 0 under p (token 4): the target did not write it at these laws.");
  text.log_p[8] = -HUGE_VAL;
  CHECK(TextCheck(scores).words() ==
        "2 tokens of the text have probability 0 under p (the first: token 4): the target did not write it at these "
        "laws.");
  CHECK(TextCheck(scores).cause() ==
        "Was it written at another temperature, under a wider truncation, or by another model?");
  text.log_p.clear();
  text.log_q.clear();
  CHECK_FALSE(TextCheck(scores).log_odds);
}

/// The same text with β and the entropy of p, written with p or what a temperature makes of it.
Scores tempered(double m, double truth, Random& random) {
  Scores scores = two_columns(m, m, truth, 2'000, random);
  TextScores& text = scores.texts.front();
  text.entropy_p.assign(2'000, -m * std::log(m) - (1 - m) * std::log(1 - m));
  return scores;
}

// The drift is .3 nats a token of a spread of .4: bets on 2 000 tokens find it with probability 1 − 1e-9 and more.
TEST_CASE("text check: what may have gone wrong") {
  Random random(3);
  CHECK(TextCheck(two_columns(.6, .8, .6, 400, random)).cause().empty());
  CHECK(TextCheck(two_columns(.6, .8, .8, 400, random)).cause() ==
        "With the two models exchanged nothing speaks against it: are log p and log q, or the two files, the wrong way "
        "round, or did the draft write the text?");
  CHECK(TextCheck(tempered(.7, .99, random)).cause() ==
        "Its tokens are likelier than p has it: was it written at a lower temperature, or under a truncation?");
  CHECK(TextCheck(tempered(.7, .3, random)).cause() ==
        "Its tokens are less likely than p has it: was it written at a higher temperature, or by another model?");
  Scores third = two_columns(.6, .8, .6, 2'000, random);  // a leans away from β, and nothing else is known
  third.texts.front().beta.assign(2'000, .95);
  CHECK(TextCheck(third).cause() == "Was it written by another model, or at another temperature or truncation?");
}

TEST_CASE("text check: what it says") {
  Random random(2);
  CHECK(TextCheck(two_columns(.6, .8, .8, 400, random))
            .words()
            .starts_with("This is not a text that the target would write at these laws (odds for the draft e^"));
  Scores fine = two_columns(.6, .8, .6, 400, random);
  TextScores& text = fine.texts.front();
  for (double const log_p : text.log_p) {
    text.top.push_back(log_p == std::log(.6));
    text.max_p.push_back(.6);
  }
  CHECK(TextCheck(fine).words().starts_with("Nothing speaks against the target having written the text (z: top "));
}
