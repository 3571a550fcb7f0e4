#include "analysis/texts/text_estimates.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/replay/replay.h"
#include "analysis/theory/closed_form.h"
#include "tests/analysis/reference_recordings.h"
#include "tests/known_names.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

TextTrace text(std::string name, std::vector<double> a, std::vector<double> beta = {}) {
  TextTrace trace;
  trace.name = std::move(name);
  trace.tokens.assign(a.size(), 1);
  for (double const x : a) {
    trace.log_p.push_back(-1);
    trace.log_q.push_back(-1 + std::log(x));
  }
  trace.beta = std::move(beta);
  return trace;
}
TokenTrace recording(std::vector<TextTrace> texts) {
  TokenTrace trace;
  trace.name = "R";
  trace.texts = std::move(texts);
  return trace;
}
EstimateOptions few(std::vector<int> gammas) { return {.gammas = std::move(gammas), .resamples = 20}; }

}  // namespace

TEST_CASE("estimators: one is found by its name, and a name of none is refused with those that there are") {
  for (Estimator const each : estimators()) CHECK(estimator_named(each.card->name) == each);
  CHECK(message<UsageError>([] { estimator_named("replays"); }) ==
        "there is no estimator 'replays' (known: " + known_names(estimator_cards()) + ") did you mean 'replay'?");
}

TEST_CASE("estimators that replay say whose rounds, and what keeps a draft where that is each token's alone") {
  std::vector<std::string_view> rules;
  for (EstimatorCard const& card : estimator_cards())
    if (!card.replays.empty()) rules.push_back(card.replays);
  CHECK(rules == std::vector<std::string_view>{"token", "block", "argmax"});
  TokenTrace trace = recording({text("one", {1, .5})});
  trace.texts[0].argmax_match = {0, 1};
  TextEstimates const found(trace, few({1}));
  for (EstimatorCard const& card : estimator_cards()) {
    CAPTURE(card.name);
    CHECK((card.kept != nullptr) == (card.replays == "token" || card.replays == "argmax"));
    if (!card.kept) continue;
    std::vector<double> const kept = card.kept(found).at(0);
    CHECK(kept[0] == (card.drafts_argmax ? 0 : 1));
    CHECK(kept[1] == Approx(card.drafts_argmax ? 1 : .5));
  }
}

TEST_CASE("estimators by hand") {
  TokenTrace const trace = recording({text("one", {1, .5, .25}, {.8, .6, .4}), text("two", {.5}, {.2})});
  TextEstimates const found(trace, few({1, 2, 3}));
  CHECK(found.texts() == 2);
  CHECK(found.tokens() == 4);
  CHECK(found.alpha()->value == Approx(.5));
  CHECK(found.alpha_from_beta());
  CHECK(found.mean_a()->value == Approx(2.25 / 4));
  CHECK(found.tokens_per_round(Estimator::iid, 2)->value == Approx(1.75));
  CHECK(delta_interval(*found.tokens_per_round(Estimator::iid, 2), .95));
  // s_1 = mean β; s_2 over the starts 0 and 1 of the first text: (1·.6 + .5·.4)/2; s_3 over one start: 1·.5·.4.
  CHECK(found.survival(1)->value == Approx(.5));
  CHECK(found.survival(2)->value == Approx(.4));
  CHECK(found.survival(3)->value == Approx(.2));
  CHECK_FALSE(found.survival(4));
  CHECK_FALSE(found.survival(0));
  CHECK(found.tokens_per_round(Estimator::survival, 3)->value == Approx(2.1));
  // γ = 1: R(2) = 1, R(1) = 1 + ½, R(0) = 1 + R(2) = 2 of the first, 1 of the second.
  CHECK(found.tokens_per_round(Estimator::replay, 1)->value == Approx(4. / 3));
  for (Estimator const e : estimators()) {
    CAPTURE(e.card->name);
    CHECK((found.tokens_per_round(e, 1) == nullptr) == (e == Estimator::replay_argmax));
    CHECK(found.tokens_per_round(e, 9) == nullptr);
    CHECK(found.why_not(e) == (e == Estimator::replay_argmax ? "needs the matches of argmax q" : ""));
  }
  // Without the bonus token a round of one draft is a token.
  TextEstimates const bare(trace, {.gammas = {1, 2}, .bonus = false, .resamples = 0});
  for (Estimator const e : estimators())
    if (auto const* tokens = bare.tokens_per_round(e, 1)) CHECK(tokens->value == Approx(1));
  CHECK(bare.tokens_per_round(Estimator::survival, 2)->value == Approx(1.5));
}

TEST_CASE("what a recording does not say is not estimated, and why") {
  TokenTrace trace = recording({text("one", {1, .5}), text("two", {.5, 1})});
  TextEstimates const columns(trace, few({2}));
  CHECK_FALSE(columns.alpha_from_beta());  // E[a | context] = β
  CHECK(columns.alpha()->value == Approx(.75));

  for (TextTrace& t : trace.texts) t.log_q.clear();
  TextEstimates const nothing(trace, few({2}));
  CHECK_FALSE(nothing.alpha());
  CHECK(nothing.why_not(Estimator::replay) == "needs log p and log q of the tokens");
  CHECK(nothing.why_not(Estimator::iid) == "needs beta, or log p and log q of the tokens");

  // Bounds of β give bounds.
  for (TextTrace& t : trace.texts) t.beta_low = {.2, .4}, t.beta_high = {.6, .8};
  trace.texts[1].beta_low = {.3, .5};
  TextEstimates const bounded(trace, few({1}));
  CHECK_FALSE(bounded.alpha());
  REQUIRE(bounded.alpha_bounds());
  CHECK(bounded.alpha_bounds()->low.value == Approx(.35));
  CHECK(bounded.alpha_bounds()->high.value == Approx(.7));
  CHECK(bounded.iid_bounds(1)->high.value == Approx(1.7));
  CHECK(bounded.why_not(Estimator::iid) == "has only bounds of beta");
  auto const interval = bounded_interval(*bounded.alpha_bounds(), .95);
  REQUIRE(interval);
  CHECK(interval->low < .35);
  CHECK(interval->high == Approx(.7));

  // A token outside of p's support was not written by p. α is still the mean over contexts.
  trace = recording({text("one", {1, .5}, {.5, .5}), text("two", {.5, 1}, {.5, .7})});
  trace.texts[1].log_p[0] = -HUGE_VAL;
  TextEstimates const folded(trace, few({2}));
  CHECK(folded.alpha()->value == Approx(.55));
  CHECK_FALSE(folded.mean_a());
  CHECK(folded.tokens_per_round(Estimator::iid, 2) != nullptr);
  CHECK(folded.tokens_per_round(Estimator::replay, 2) == nullptr);
  CHECK(folded.why_not(Estimator::replay) == "needs text of the distribution p itself: p excludes a token of it");

  TextEstimates const uncoined(recording({text("one", {1, .5})}), {.gammas = {1}, .coin_runs = 0});
  CHECK(uncoined.why_not(Estimator::simulated) == "was not asked for any run");
  CHECK_FALSE(delta_interval(*uncoined.tokens_per_round(Estimator::replay, 1), .95));  // one text
}

TEST_CASE("rounds that no text has room for are not replayed") {
  auto const by = [](std::vector<TextTrace> texts, bool bonus, int gamma) {
    for (TextTrace& text : texts) text.argmax_match.assign(text.size(), 1);
    TextEstimates const found(recording(std::move(texts)), {.gammas = {gamma}, .bonus = bonus, .resamples = 0});
    std::vector<bool> known;
    for (Estimator const e : {Estimator::iid, Estimator::survival, Estimator::replay, Estimator::replay_block,
                              Estimator::simulated, Estimator::replay_argmax})
      known.push_back(found.tokens_per_round(e, gamma) != nullptr);
    for (Estimator const e : estimators()) {
      CAPTURE(e.card->name);
      if (!e.card->replays.empty()) CHECK(found.has_room(gamma) == (found.tokens_per_round(e, gamma) != nullptr));
    }
    CHECK(found.has_room(gamma) == found.why_not(Estimator::replay_block).empty());
    return known;
  };
  using Known = std::vector<bool>;
  auto const one = text("one", {1, .5, .5}), two = text("two", {.5, .5});
  CHECK(by({one, two}, true, 2) == Known{true, true, true, true, true, true});
  CHECK(by({one, two}, true, 3) == Known{true, true, false, false, false, false});
  CHECK(by({one, two}, false, 3) == Known{true, true, true, true, true, true});  // without the bonus token it fits
  CHECK(by({one, two}, false, 4) == Known{true, true, false, false, false, false});
  // A text of one token would give one token a round, whatever the draft.
  CHECK(by({text("one", {.1})}, true, 1) == Known{true, true, false, false, false, false});
  TextEstimates const short_one(recording({text("one", {.1})}), few({1, 4}));
  CHECK(short_one.why_not(Estimator::replay) == "needs a text of 2 tokens, which a round of 1 draft may emit");
  CHECK(short_one.why_not(Estimator::survival).empty());
  TextEstimates const mostly_short(recording({one, text("a", {.1, .1}), text("b", {.1, .1})}), few({2, 4}));
  CHECK(mostly_short.why_not(Estimator::replay) ==
        "has fewer than half of its tokens in texts of 3 tokens, which a round of 2 drafts may emit");
  TextEstimates const shorter(recording({text("one", {.1})}), few({2, 4}));
  CHECK(shorter.why_not(Estimator::survival) == "needs a text of 2 tokens, which a round of 2 drafts may accept");
}

TEST_CASE("at temperature 0 the rules are one") {
  TextEstimates const found(reference_recording("prune2", "0"), few({1, 4, 16}));
  for (int const gamma : {1, 4, 16}) {
    double const replay = found.tokens_per_round(Estimator::replay, gamma)->value;
    for (Estimator const e : {Estimator::replay_block, Estimator::simulated, Estimator::replay_argmax})
      CHECK(found.tokens_per_round(e, gamma)->value == Approx(replay).epsilon(1e-13));
  }
}

TEST_CASE("what is wrong with a recording is said") {
  auto const refused = [](TokenTrace const& trace) {
    return message<InputError>([&] { TextEstimates(trace, few({2})); });
  };
  CHECK(refused(recording({})) == "R holds no text (there is nothing to estimate from) record some");
  CHECK(refused(recording({text("x", {.5}), text("y", {})})) ==
        "R, text y has no tokens (every text counts as a sample) leave it out");
  TokenTrace wrong = recording({text("x", {.5, .5}, {.5, 1.5})});
  CHECK(refused(wrong) == "R, text x, token 2: beta is 1.5 (it is a probability) expected a number from 0 to 1");
  wrong.texts[0].beta.clear();
  wrong.texts[0].log_q[1] = .25;
  CHECK(refused(wrong) ==
        "R, text x, token 2: log q is 0.25 (it is the logarithm of a probability) expected 0 or less");
  wrong.texts[0].log_p[0] = std::nan("");
  CHECK(refused(wrong) ==
        "R, text x, token 1: log p is nan (it is the logarithm of a probability) expected 0 or less");
  CHECK(message([&] { TextEstimates(recording({text("x", {.5})}), few({0})); }) ==
        "`gamma` is 0 (a round drafts a token at least) give 1 or more");
  wrong.texts[0].beta = {.5};
  CHECK_THROWS_AS(TextEstimates(wrong, few({2})), std::logic_error);
}

TEST_CASE("recordings of one kind are pooled by text") {
  TokenTrace a = recording({text("one", {1, .5})}), b = recording({text("one", {.25})});
  b.name = "S";
  a.temperature = b.temperature = 1;
  TokenTrace const all = pooled(std::vector{a, b}, "both");
  CHECK(all.name == "both");
  REQUIRE(all.texts.size() == 2);
  CHECK(all.texts[1].name == "S/one");
  CHECK(all.temperature == 1.);
  b.temperature = .6;
  CHECK_FALSE(pooled(std::vector{a, b}, "both").temperature);
  CHECK(TextEstimates(all, few({1})).mean_a()->value == Approx(1.75 / 3));
}

TEST_CASE("so many resamples of so many texts are refused before there is room for them") {
  CHECK(message<UsageError>([] { TextSample(std::vector<double>(300'000, 1.), 1000, 1); }) ==
        "`resamples` 1000 of 300000 texts are too many (at most 268435456 texts of resamples are held) give "
        "`resamples` 0, or fewer texts");
}
