#include "analysis/why/waterfall.h"

#include <catch2/catch.hpp>
#include <string>

#include "analysis/theory/closed_form.h"
#include "tests/message.h"

namespace draftgauge {
using testing::message;

namespace {

Known<RoundTokens> tokens(double value) { return {RoundTokens{.value = value}, "test"}; }
Known<double> number(double value) { return {value, "test"}; }

double sum_of(Waterfall const& of) {
  double sum = 0;
  for (WaterfallStep const& step : of.steps) sum += step.time.value_or(0);
  return sum;
}

WaterfallInput whole() {
  return {.gamma = 4,
          .independent = tokens(3),
          .dependent = tokens(2.7),
          .ended = tokens(2.6),
          .engine = tokens(1.9),
          .drafts = number(.4),
          .verification = number(.3),
          .overhead = number(.1),
          .batch = number(.5),
          .measured = number(1.4)};
}

}  // namespace

TEST_CASE("waterfall: each step is what it adds, and they sum to the difference") {
  Waterfall const found = waterfall(whole(), .95);
  CHECK(found.ideal == Approx(.2));
  REQUIRE(found.steps.size() == cause_cards().size());
  double const expected[] = {1 / 3. - 1 / 5., 1 / 2.7 - 1 / 3., 1 / 2.6 - 1 / 2.7, 1 / 1.9 - 1 / 2.6,
                             .4 / 1.9,        .3 / 1.9,         .1 / 1.9,          .5 / 1.9};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    CHECK(found.steps[i].cause == cause_cards()[i].cause);
    CHECK(found.steps[i].time.value() == Approx(expected[i]));
    CHECK_FALSE(found.steps[i].interval);
  }
  CHECK(found.predicted == Approx(2.3 / 1.9));
  CHECK(found.unexplained().value() == Approx(1.4 - 2.3 / 1.9));
  CHECK(found.ideal + sum_of(found) + *found.unexplained() == Approx(*found.measured).epsilon(1e-14));
  CHECK(found.distance() == Approx(1.2));
}

TEST_CASE("waterfall: the ideal is of the drafts that ran") {
  WaterfallInput input = whole();
  input.lengths = {{0, .25}, {2, .5}, {4, .25}};
  Waterfall const found = waterfall(input, .95);
  CHECK((found.mean_drafts == 2 && found.ideal == Approx(1 / 3.)));
  CHECK(found.steps[0].time.value() == Approx(0).margin(1e-15));
  input.bonus = false;
  CHECK(waterfall(input, .95).ideal == Approx(1 / (.25 + .5 * 2 + .25 * 4)));
  input.lengths.clear();
  CHECK((waterfall(input, .95).ideal == .25 && waterfall(input, .95).mean_drafts == 4));
}

TEST_CASE("waterfall: measured below the ideal, the distance is of what is predicted") {
  WaterfallInput input = whole();
  input.measured = number(.1);
  Waterfall const found = waterfall(input, .95);
  CHECK((found.below_ideal() && found.distance() == Approx(found.predicted - .2)));
}

TEST_CASE("waterfall: whatever is unknown, what is known still sums to the difference") {
  for (unsigned missing = 0; missing < 1U << 8; ++missing) {
    WaterfallInput input = whole();
    auto const without = [&](unsigned bit, auto& known) {
      if (missing & 1U << bit) known.value.reset();
    };
    without(0, input.independent);
    without(1, input.dependent);
    without(2, input.ended);
    without(3, input.engine);
    without(4, input.drafts);
    without(5, input.verification);
    without(6, input.overhead);
    without(7, input.batch);
    Waterfall const found = waterfall(input, .95);
    CAPTURE(missing);
    for (unsigned i = 0; i < 8; ++i) CHECK(found.knows(cause_cards()[i].cause) == !(missing & 1U << i));
    CHECK(found.ideal + sum_of(found) == Approx(found.predicted).epsilon(1e-14));
    CHECK(found.predicted + *found.unexplained() == Approx(1.4).epsilon(1e-14));
  }
}

TEST_CASE("waterfall: an interval of tokens per round goes through to the steps that it decides") {
  WaterfallInput input{.gamma = 3, .drafts = number(.5)};
  input.independent = {RoundTokens{.value = 2, .interval = Interval{2, 1.6, 2.5, .95}}, "test"};
  input.measured = number(1);
  Waterfall const found = waterfall(input, .95);
  auto const& rejected = found.steps[0];
  CHECK(rejected.interval->low == Approx(1 / 2.5 - .25));
  CHECK(rejected.interval->high == Approx(1 / 1.6 - .25));
  auto const& drafts = found.steps[static_cast<std::size_t>(Cause::drafts)];
  CHECK(drafts.interval->low == Approx(.5 / 2.5));
  CHECK(drafts.interval->high == Approx(.5 / 1.6));
  CHECK(found.predicted_interval->high == Approx(1.5 / 1.6));
  CHECK(found.unexplained_interval()->low == Approx(1 - 1.5 / 1.6));
  CHECK(found.unexplained_interval()->high == Approx(1 - 1.5 / 2.5));

  // Another run's error is independent: their squares add.
  input.engine = {RoundTokens{.value = 2, .interval = Interval{2, 1.6, 2.5, .95}, .other_data = true}, "test"};
  auto const engine = waterfall(input, .95).steps[static_cast<std::size_t>(Cause::engine)];
  CHECK(engine.interval->high == Approx(std::hypot(1 / 1.6 - .5, .5 - 1 / 2.5)));
  // Where nobody knows how two errors hang together there is no interval.
  input.engine.value->other_data = false;
  CHECK_FALSE(waterfall(input, .95).steps[static_cast<std::size_t>(Cause::engine)].interval);
}

TEST_CASE("waterfall: rounds of several lengths, and of a batch") {
  Costs const alone{.draft = .1, .verify = {{1, 1}, {2, 1.2}, {4, 1.4}, {8, 2.2}}, .extra_draft_passes = 1};
  DraftLengths const lengths = {{1, .25}, {3, .75}};
  CHECK(draft_time(alone, lengths) == Approx(.25 * .2 + .75 * .4));
  Costs again = alone;
  again.draft_curve = {{2, 1.5}, {4, 2}};
  CHECK(draft_time(again, lengths) == Approx(.25 * .25 + .75 * .5));
  CHECK(verification_time(alone, lengths) == Approx(.25 * .2 + .75 * .4));
  // Of two sequences a round of 3 drafts takes a pass of 8 tokens, and a draft step as long as before: v(8) − v(4),
  // and of 1 draft v(4) − v(2).
  Costs own = alone;
  own.draft_curve = {{1, 1}, {8, 1}};
  Costs const together = in_batch(own, 2);
  CHECK(batch_time(alone, together, 2, lengths) == Approx(.75 * .8 + .25 * .2));
  CHECK(batch_time(alone, alone, 1, lengths) == Approx(0).margin(1e-15));
}

TEST_CASE("waterfall: what is out of its domain is refused") {
  CHECK(message([] { waterfall({.gamma = 0}, .95); }) ==
        "gamma is 0 (a round drafts a token at least) give 1 or more");
  CHECK(message([] {
          waterfall({.gamma = 2, .independent = {RoundTokens{.value = .5}, ""}}, .95);
        }) == "tokens per round is 0.5 (a round emits a token at least) give 1 or more");
}

}  // namespace draftgauge
