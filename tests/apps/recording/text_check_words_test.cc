#include "analysis/audit/text_check_words.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/analysis/text_columns.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

TokenTrace columns(double m, double k, double truth, std::size_t length) {
  Random random(3);
  return two_columns(m, k, truth, length, random);
}

TextCheck with_entropy(double m, double truth) {
  TokenTrace trace = columns(m, m, truth, 2'000);
  trace.texts.front().entropy_p.assign(2'000, -m * std::log(m) - (1 - m) * std::log(1 - m));
  return check_text(trace);
}

}  // namespace

TEST_CASE("text check words: what two columns cannot show is said") {
  CHECK(finding_text(check_text(columns(.6, .8, .6, 50))) ==
        "Two columns, log p and log q, cannot show at which temperature the text was written.");
  CHECK(unseen_text(check_text(columns(.6, .8, .6, 50))) == finding_text(check_text(columns(.6, .8, .6, 50))));
  CHECK(unseen_text(check_text(columns(.6, .8, .8, 400))).empty());  // rejected: that is what is said
  CHECK(unseen_text(with_entropy(.7, .7)).empty());
  TokenTrace with_beta = columns(.6, .8, .6, 2'000);
  with_beta.texts.front().beta.assign(2'000, .8);
  std::string const words = finding_text(check_text(with_beta));
  CHECK(words.ends_with(
      " Without entropies of p or full rows nothing shows at which temperature the text was written."));
  CHECK(words.starts_with("Nothing speaks against the target having written the text (z: draft bias "));
  CHECK(finding_text(with_entropy(.7, .7)).empty());
  CHECK(cause_text(with_entropy(.7, .7)).empty());
  CHECK(finding_text(check_text(TokenTrace{})).empty());
}

TEST_CASE("text check words: tokens that p excludes") {
  TokenTrace trace = columns(.6, .8, .6, 50);
  trace.texts.front().log_p[3] = -HUGE_VAL;
  CHECK(finding_text(check_text(trace)) ==
        "One token of the text has probability 0 under p (token 4): the target did not write it at these "
        "distributions.");
  trace.texts.front().log_p[8] = -HUGE_VAL;
  CHECK(finding_text(check_text(trace)) ==
        "2 tokens of the text have probability 0 under p (the first: token 4): the target did not write it at these "
        "distributions.");
  CHECK(cause_text(check_text(trace)) ==
        "Was it written at another temperature, under a wider truncation, or by another model?");
}

TEST_CASE("text check words: what was asked is named where it is not what is measured") {
  TextCheck swapped = check_text(columns(.6, .8, .8, 400)), sound = with_entropy(.7, .7);
  swapped.law = sound.law = "T = 1";
  CHECK(finding_text(swapped).starts_with("This is not a text that the target would write at T = 1 (odds for the "));
  sound.audit.draft_bias.emplace();
  sound.audit.draft_bias->name = "lean";
  sound.audit.draft_bias->normal = true;
  CHECK(finding_text(sound).starts_with("Nothing speaks against the target having written the text at T = 1 (z: "));
  sound.audit.impossible = 1;
  sound.impossible_at = "token 4";
  CHECK(finding_text(sound) ==
        "One token of the text has probability 0 under p (token 4): the target did not write it at T = 1.");
}

TEST_CASE("text check words: what may have gone wrong, from columns") {
  CHECK(finding_text(check_text(columns(.6, .8, .8, 400)))
            .starts_with(
                "This is not a text that the target would write at these distributions (odds for the draft e^"));
  CHECK(
      cause_text(check_text(columns(.6, .8, .8, 400))) ==
      "With the two models exchanged nothing speaks against it: are log p and log q, or the two files, the wrong way "
      "round, or did the draft write the text?");
  CHECK(cause_text(with_entropy(.7, .99)) ==
        "Its tokens are likelier than p has it: was it written at a lower temperature, or under a truncation?");
  CHECK(cause_text(with_entropy(.7, .3)) ==
        "Its tokens are less likely than p has it: was it written at a higher temperature, or by another model?");
  TokenTrace third = columns(.6, .8, .6, 2'000);  // a leans away from β, and nothing else is known
  third.texts.front().beta.assign(2'000, .95);
  CHECK(cause_text(check_text(third)) == "Was it written by another model, or at another temperature or truncation?");
  TokenTrace far = columns(.6, .8, .6, 400);
  far.texts.front().log_p.assign(400, -60);
  far.texts.front().log_q.assign(400, -60);
  CHECK(finding_text(check_text(far)).find("(odds for tokens at random e^") != std::string::npos);
  CHECK(cause_text(check_text(far)) ==
        "Its tokens are far less likely than any that p would draw: do the numbers stand one token off, are they of "
        "another text or tokeniser, or are they no natural logarithms of probabilities?");
}

TEST_CASE("text check words: every cause that fits full rows") {
  TextCheck check = with_entropy(.7, .3);
  REQUIRE(check.rejected());
  check.rows_tried = true;
  CHECK(cause_text(check) ==
        "No temperature from 0.05 to 5, no usual truncation, no exchange of the models and no shift by one token "
        "explains it: was it written by another model, or tokenised otherwise?");
  using Kind = TextCause::Kind;
  auto const words = [&](TextCause const& cause) {
    check.causes = {cause};
    return cause_text(check);
  };
  CHECK(words({Kind::exchanged})
            .starts_with("With the two models exchanged nothing speaks against it: are the rows of p "));
  CHECK(words({Kind::row_ahead}) ==
        "With the tokens moved one row up nothing speaks against it: row i must be the distribution of token i, and "
        "here it is that of token i + 1. Give `shift` one more than it is (0 of `tokens`, 1 of `input_ids` and "
        "`labels`).");
  CHECK(
      words({Kind::row_behind}) ==
      "With the tokens moved one row down nothing speaks against it: row i must be the distribution of token i, and "
      "here it is that of token i - 1. Give `shift` one less than it is; where it is 0, leave out the first row and "
      "the "
      "last token of each text.");
  CHECK(words({Kind::temperature, {.temperature = 0}}) ==
        "At T = 0 nothing speaks against it: was it written greedily?");
  CHECK(words({Kind::temperature, {.temperature = .6}, FittedTemperature{.6, .02, 256}}) ==
        "At T = 0.6 ± 0.04 nothing speaks against it: was it written at that temperature?");
  CHECK(words({Kind::truncation, {.top_k = 40}}) ==
        "Under top-k 40 nothing speaks against it: was it drawn from a truncated distribution?");
  CHECK(words({Kind::truncation, {.top_p = .9}}).starts_with("Under top-p 0.9 "));
  CHECK(words({Kind::truncation, {.min_p = .05}}).starts_with("Under min-p 0.05 "));
  check.causes = {{Kind::temperature, {.temperature = 0}}, {Kind::truncation, {.top_k = 40}}};
  CHECK(cause_text(check).find("greedily? Under top-k 40") != std::string::npos);
}

TEST_CASE("text check words: a rejected text leads, full rows that nobody claims keep their positions") {
  TextCheck const check = check_text(columns(.6, .8, .8, 400));
  CHECK(rejection_text(check, TextStanding::rejected)
            .starts_with("rejected, no figure below is to be used. This is not a text that the target would write"));
  CHECK(rejection_text(check, TextStanding::off_policy)
            .starts_with(
                "rejected, no draft length and no speed-up follows from it; what is known of each position, as "
                "β, holds. This is not"));
}
