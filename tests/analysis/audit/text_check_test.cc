#include "analysis/audit/text_check.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/recordings/score_rows.h"
#include "analysis/stats/betting_test.h"
#include "tests/analysis/text_columns.h"
#include "tests/analysis/text_rows.h"
#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

using Cause = TextCause::Kind;

int rejected(double m, double k, double truth, std::size_t length, int runs) {
  Random random(11);
  int alarms = 0;
  for (int i = 0; i < runs; ++i) alarms += check_text(two_columns(m, k, truth, length, random)).rejected();
  return alarms;
}

/// The same text with β and the entropy of p, written with p or what a temperature makes of it.
TokenTrace tempered(double m, double truth, Random& random) {
  TokenTrace trace = two_columns(m, m, truth, 2'000, random);
  TextTrace& text = trace.texts.front();
  text.entropy_p.assign(2'000, -m * std::log(m) - (1 - m) * std::log(1 - m));
  return trace;
}

TextCheck check_rows(Rows const& rows, SamplingParameters const& at = {}) {
  RowPairs pairs = rows.pairs();
  TokenTrace const trace = score_rows(pairs, at, at, 1);
  return check_text(trace, {[&] { return rows.pairs(); }, at, at});
}

std::vector<Cause> kinds(TextCheck const& check) {
  std::vector<Cause> all;
  for (TextCause const& cause : check.causes) all.push_back(cause.kind);
  return all;
}

}  // namespace

// The false alarm is 1e-4: 4 or more of 1 000 texts have probability 4e-6.
TEST_CASE("text check: a text of peaked distributions that the target wrote is not rejected") {
  CHECK(rejected(.99, .9999, .99, 50, 1'000) < 4);
  CHECK(rejected(.999, .9999, .999, 1'000, 1'000) < 4);
  CHECK(rejected(.95, .99, .95, 60, 1'000) < 4);
  CHECK(rejected(.6, .8, .6, 200, 1'000) < 4);
}

// With KL(q‖p) = .104 per token 400 tokens are worth e^42 in the mean: found with probability .99 and more.
TEST_CASE("text check: a text of the draft's is found") { CHECK(rejected(.6, .8, .8, 400, 100) > 95); }

TEST_CASE("text check: all its tests share one false alarm") {
  Random random(1);
  TokenTrace trace = two_columns(.6, .8, .6, 50, random);
  CHECK(check_text(trace).false_alarm() == Approx(text_alarm / 2));
  CHECK_FALSE(check_text(trace).says_something());
  CHECK_FALSE(check_text(trace).sees_temperature());
  TextTrace& text = trace.texts.front();
  text.beta.assign(50, .8);
  CHECK_FALSE(check_text(trace).sees_temperature());
  text.entropy_p.assign(50, -.6 * std::log(.6) - .4 * std::log(.4));
  CHECK(check_text(trace).false_alarm() == Approx(text_alarm / 4));
  CHECK(check_text(trace).sees_temperature());
  text.log_p[3] = -HUGE_VAL;
  CHECK(check_text(trace).rejected());
  CHECK_FALSE(check_text(trace).draft_odds);
  CHECK_FALSE(check_text(trace).uniform_odds);
  CHECK(check_text(trace).impossible_at == "token 4");
  text.log_p.clear();
  text.log_q.clear();
  CHECK_FALSE(check_text(trace).draft_odds);
}

// One token of 2^-90 among 100 is worth 2^70/(100 · 2^11) and more; of probability 2^-21 none is worth anything.
TEST_CASE("text check: tokens that are far too unlikely are found from two columns") {
  Random random(5);
  TokenTrace far = two_columns(.6, .8, .6, 4'000, random);
  TextTrace& text = far.texts.front();
  CHECK_FALSE(check_text(far).rejected());
  text.log_p[7] = text.log_q[7] = -90 * std::log(2);
  CHECK(check_text(far).rejected_by(check_text(far).uniform_odds));
  text.log_p[7] = text.log_q[7] = -21 * std::log(2);
  CHECK_FALSE(check_text(far).rejected());
  for (double& log_p : text.log_p) log_p = -40 - 50 * random.uniform();
  text.log_q = text.log_p;
  TextCheck const check = check_text(far);
  CHECK(check.rejected());
  CHECK(*check.uniform_odds > 4'000 * (40 - 20 * std::log(2)) - std::log(MixtureOdds::stakes));
  CHECK(check.causes.empty());
}

// −9999 is what servers print for ln 0. It convicts where e^9999 is no double.
TEST_CASE("text check: a token whose log p is far below a double's range rejects") {
  Random random(5);
  for (double const log_p : {-800., -9999.}) {
    TokenTrace far = two_columns(.6, .8, .6, 400, random);
    far.texts.front().log_p[7] = log_p;
    TextCheck const check = check_text(far);
    CHECK(std::isfinite(*check.draft_odds));
    CHECK(check.rejected_by(check.draft_odds));
    CHECK(check.rejected_by(check.uniform_odds));
  }
}

// The drift is .3 nats a token of a spread of .4: bets on 2 000 tokens find it with probability 1 − 1e-9 and more.
TEST_CASE("text check: exchanged columns are named") {
  Random random(3);
  CHECK(check_text(two_columns(.6, .8, .6, 400, random)).causes.empty());
  CHECK(kinds(check_text(two_columns(.6, .8, .8, 400, random))) == std::vector{Cause::exchanged});
  CHECK(check_text(tempered(.7, .99, random)).rejected());
  CHECK(check_text(tempered(.7, .99, random)).causes.empty());
}

TEST_CASE("text check: what its standing is, and that no command may lead with a rejected one") {
  Random random(3);
  TextCheck const fine = check_text(two_columns(.6, .8, .6, 400, random)),
                  swapped = check_text(two_columns(.6, .8, .8, 400, random));
  CHECK(text_standing(fine, Policy::on, false) == TextStanding::unjudged);
  CHECK(text_standing(swapped, Policy::on, true) == TextStanding::rejected);
  CHECK(text_standing(swapped, Policy::unknown, false) == TextStanding::rejected);
  CHECK(text_standing(swapped, Policy::unknown, true) == TextStanding::off_policy);
  CHECK(text_standing(swapped, Policy::off, true) == TextStanding::unjudged);
  TokenTrace seen = two_columns(.6, .8, .6, 2'000, random);
  seen.texts.front().beta.assign(2'000, .8);
  CHECK(text_standing(check_text(seen), Policy::on, false) == TextStanding::not_rejected);
  CHECK((is_rejected(TextStanding::rejected) && is_rejected(TextStanding::off_policy)));
  CHECK_FALSE((is_rejected(TextStanding::unjudged) || is_rejected(TextStanding::not_rejected)));
}

TEST_CASE("text check: full rows of the target's own text") {
  Rows const rows({}, 600, 1);
  TextCheck const check = check_rows(rows);
  CHECK_FALSE(check.rejected());
  REQUIRE(check.row_odds);
  CHECK(check.row_odds->tokens == 600);
  CHECK(check.row_odds->log_odds < 2);
  CHECK(check.false_alarm() == Approx(text_alarm / 6));
  CHECK_FALSE(check_rows(rows, {.temperature = 0}).row_odds);
  CHECK_FALSE(check_rows(rows, {.top_k = 31}).row_odds);
}

TEST_CASE("text check: of full rows the change is named under which the text fits") {
  Rows rows({}, 600, 2);
  std::swap(rows.target, rows.draft);
  CHECK(kinds(check_rows(rows)) == std::vector{Cause::exchanged});
  std::swap(rows.target, rows.draft);
  auto const tokens = rows.tokens;
  std::copy(tokens.begin(), tokens.end() - 1, rows.tokens.begin() + 1);
  CHECK(kinds(check_rows(rows)) == std::vector{Cause::row_ahead});
  rows.tokens = tokens;
  std::copy(tokens.begin() + 1, tokens.end(), rows.tokens.begin());
  CHECK(kinds(check_rows(rows)) == std::vector{Cause::row_behind});
  for (std::size_t i = 0; i < rows.tokens.size(); ++i) rows.tokens[i] = static_cast<std::int64_t>(i % rows_vocab);
  TextCheck const other = check_rows(rows);
  CHECK(other.rejected());
  CHECK(other.rows_tried);
  CHECK(other.causes.empty());
}

// Row i is the distribution of token i + 1, and the draft's row i is what the target's should be: both changes
// explain all tokens alike, but for the first of each sequence, which moved tokens need not explain.
TEST_CASE("text check: what a shift leaves out at the ends speaks against no other cause") {
  Rows rows({}, 600, 8);
  rows.draft = rows.target;
  std::rotate(rows.target.begin(), rows.target.begin() + rows_vocab, rows.target.end());
  for (std::size_t const first : {0u, 300u})
    rows.draft[first * rows_vocab + static_cast<std::size_t>(rows.tokens[first])] -= 14;
  CHECK(kinds(check_rows(rows)) == std::vector{Cause::exchanged, Cause::row_ahead});
}

TEST_CASE("text check: of full rows the temperature or truncation is named that the text was written at") {
  for (double const temperature : {.6, 1.6}) {
    TextCheck const check = check_rows(Rows({.temperature = temperature}, 900, 3));
    REQUIRE(kinds(check) == std::vector{Cause::temperature});
    REQUIRE(check.causes.front().fitted);
    CHECK(check.causes.front().sampling.temperature == Approx(temperature).epsilon(.15));
  }
  TextCheck const greedy = check_rows(Rows({.temperature = 0}, 300, 4));
  REQUIRE(kinds(greedy) == std::vector{Cause::temperature});
  CHECK(greedy.causes.front().sampling.temperature == 0);
  TextCheck const cut = check_rows(Rows({.top_p = .8}, 900, 5));
  REQUIRE_FALSE(cut.causes.empty());
  CHECK(cut.causes.back().kind == Cause::truncation);
  CHECK(cut.causes.back().sampling.top_p == .8);
}
