#include "analysis/scheduling/scheduled_batch.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/message.h"
#include "tests/random.h"

using namespace draftgauge;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// Of one kind of estimates.
ScheduleRows compared(std::vector<ScheduledText> const& texts, ScheduledCosts const& costs,
                      std::vector<ScheduleCall> const& schedules, ScheduledAsked const& asked) {
  return compare_schedules({{"right", texts}}, costs, schedules, asked);
}

ScheduledCosts some_costs(std::int64_t batch, double draft = .05) {
  return {10., {.draft = draft, .verify = {{1, 1.}, {2, 1.2}, {4, 1.8}, {9, 3.9}}, .overhead = .1}, batch};
}

/// Texts whose tokens are easy or hard for long, with estimates that know it, or the mean.
std::vector<ScheduledText> uneven_texts(bool known) {
  testing::Random random(3);
  std::vector<ScheduledText> texts(12);
  bool easy = true;
  for (ScheduledText& text : texts)
    for (int t = 0; t < 300; ++t) {
      if (random.below(25) == 0) easy = !easy;
      text.accepted.push_back(easy ? .95 : .3);
      text.estimate.push_back(known ? text.accepted.back() : .62);
    }
  return texts;
}

ScheduleRow const& row(ScheduleRows const& found, std::string const& name) {
  auto const one = std::ranges::find(found.rows, name, &ScheduleRow::schedule);
  REQUIRE(one != found.rows.end());
  return *one;
}

}  // namespace

TEST_CASE("schedules: fixed lengths make what the formula of a batch says") {
  // 12 intervals of confidence .9999: a false alarm has a chance of about .001, and a bias of .5 % is found.
  double const alpha = .8;
  std::vector<ScheduledText> const texts = {{std::vector<double>(4096, alpha), std::vector<double>(4096, alpha)}};
  for (std::int64_t const batch : {1, 7, 64})
    for (int const gamma : {1, 2, 4, 6}) {
      ScheduledCosts const costs = some_costs(batch);
      std::string const name = "fixed:length=" + std::to_string(gamma);
      ScheduleRows const found =
          compared(texts, costs, {schedule_call(name)}, {.gamma = 6, .confidence = .9999});
      double const tokens = (1 - std::pow(alpha, gamma + 1)) / (1 - alpha);
      double const expected =
          1e3 * static_cast<double>(batch) * tokens / costs.round_ms(gamma, gamma * static_cast<int>(batch));
      ScheduleRow const& fixed = found.rows[2];
      INFO(batch << " sequences, " << name);
      CHECK(fixed.schedule == name);
      CHECK(fixed.tokens_per_second.covers(expected));
      CHECK_THAT(fixed.tokens_per_second.value, WithinRel(expected, .01));
      CHECK_THAT(fixed.verified, WithinRel(gamma, .01));  // less at the end of a text
      CHECK_THAT(found.rows[0].speedup.value, WithinAbs(1, 1e-12));
    }
}

TEST_CASE("schedules: estimates that know what is easy are worth tokens, and the mean is not") {
  ScheduledCosts const costs = some_costs(16, .001);
  std::vector<ScheduleCall> const calls = {schedule_call("descent"), schedule_call("lagged")};
  ScheduleRows const told = compared(uneven_texts(true), costs, calls, {});
  ScheduleRows const mean = compared(uneven_texts(false), costs, calls, {});
  for (char const* const name : {"descent", "lagged"}) {
    INFO(name);
    CHECK(row(told, name).gain.low > .03);
    CHECK(row(mean, name).gain.high < .03);
    CHECK(row(told, name).wasted < row(mean, name).wasted);
    CHECK(row(told, name).tokens_per_second.value < row(told, "accepted drafts known").tokens_per_second.value);
  }
  CHECK(row(told, "accepted drafts known").wasted == 0);
  // The best fixed length is the best of all fixed ones, and is the same whatever is estimated.
  CHECK(told.best_fixed == mean.best_fixed);
  for (int length = 0; length <= 8; ++length) {
    std::string const name = "fixed:length=" + std::to_string(length);
    CHECK(row(compared(uneven_texts(true), costs, {schedule_call(name)}, {}), name).gain.value <= 0);
  }
}

TEST_CASE("schedules: regret is against who knows, and time per token has a tail") {
  ScheduledCosts const costs = some_costs(16, .001);
  ScheduleRows const found = compared(uneven_texts(true), costs, {schedule_call("descent")}, {});
  double const known = found.rows.back().tokens_per_second.value;
  CHECK(found.rows.back().regret.value == 0);
  for (ScheduleRow const& one : found.rows) {
    INFO(one.schedule);
    CHECK_THAT(one.regret.value, WithinAbs(1 - one.tokens_per_second.value / known, 2e-3));
    CHECK(one.ms_per_token_p99 >= one.ms_per_token * (1 - 1e-9));
  }
  CHECK_THAT(found.rows.front().ms_per_token_p99, WithinAbs(10, 1e-9));  // plain steps are all alike
}

TEST_CASE("schedules: what estimates are worth is told of one schedule by kind, and by threads nothing changes") {
  ScheduledCosts const costs = some_costs(16, .001);
  std::vector<EstimatedTexts> const kinds = {{"right", uneven_texts(true)}, {"mean", uneven_texts(false)}};
  ScheduleRows const found =
      compare_schedules(kinds, costs, {schedule_call("descent"), schedule_call("average")}, {.threads = 3});
  std::vector<std::string> said;
  for (ScheduleRow const& one : found.rows) said.push_back(one.schedule + " " + one.estimates);
  CHECK(said.size() == 6);
  CHECK(std::vector(said.begin() + 2, said.end()) ==
        std::vector<std::string>{"descent right", "descent mean", "average ", "accepted drafts known "});
  CHECK(found.rows[2].gain.low > found.rows[3].gain.high);
  ScheduleRows const alone = compared(kinds[1].texts, costs, {schedule_call("descent")}, {});
  CHECK(row(alone, "descent").tokens_per_second.value == found.rows[3].tokens_per_second.value);
}

TEST_CASE("schedules: a length by batch size is that fixed length") {
  std::vector<ScheduledText> const texts = uneven_texts(true);
  ScheduleCall const call = schedule_call("by-batch:1=4,8=2");
  CHECK(row(compared(texts, some_costs(4), {call}, {}), "by-batch:1=4,8=2").tokens_per_second.value ==
        row(compared(texts, some_costs(4), {schedule_call("fixed:length=4")}, {}), "fixed:length=4")
            .tokens_per_second.value);
  CHECK_THAT(row(compared(texts, some_costs(16), {call}, {}), "by-batch:1=4,8=2").verified, WithinRel(2., .01));
}

TEST_CASE("schedules: a long text counts by its tokens, whatever the size of the batch") {
  std::vector<ScheduledText> texts = {{std::vector<double>(4000, .9), std::vector<double>(4000, .9)}};
  for (int i = 0; i < 9; ++i) texts.push_back({std::vector<double>(20, .1), std::vector<double>(20, .1)});
  double const tokens = (1 - std::pow(.9, 5)) / .1;  // of the long one, of which 95 % of all rounds are
  for (std::int64_t const batch : {1, 16, 128})
    CHECK_THAT(row(compared(texts, some_costs(batch), {schedule_call("fixed:length=4")}, {.gamma = 4}),
                   "fixed:length=4")
                   .tokens,
               WithinRel(tokens, .12));
}

TEST_CASE("schedules: intervals of few texts are wide, by Student's t") {
  std::vector<ScheduledText> const all = uneven_texts(true);
  auto const width = [&](std::size_t count) {
    std::vector<ScheduledText> const texts(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    Interval const speedup = compared(texts, some_costs(16), {}, {}).rows[1].speedup;
    return (speedup.high - speedup.low) / speedup.value;
  };
  CHECK(width(2) > 3 * width(12));
}

TEST_CASE("schedules: where times go by all tokens of a pass, a step within a token of each sequence is met") {
  ScheduledCosts costs = some_costs(4, 0);
  costs.costs.overhead = 0;
  for (int n = 0; n <= 8; ++n) costs.pass_ms.push_back(n <= 2 ? 10 : 16);
  CHECK(costs.round_ms(2, 2) == 10);
  CHECK(first_step(costs, 2) == 3);
  std::vector<ScheduledText> const texts = uneven_texts(true);
  ScheduleRows const found =
      compared(texts, costs, {schedule_call("top:slots=2"), schedule_call("top:slots=3")}, {.gamma = 2});
  CHECK(row(found, "top:slots=2").gain.low > row(found, "top:slots=3").gain.high);
}

TEST_CASE("schedules: times between whole numbers of tokens a sequence, and where they have a step") {
  ScheduledCosts const costs = some_costs(4);
  CHECK_THAT(costs.round_ms(0, 0), WithinAbs(10, 1e-12));
  CHECK_THAT(costs.round_ms(2, 0), WithinAbs(10 * (1 + .1 + .1), 1e-12));
  CHECK_THAT(costs.round_ms(2, 6), WithinAbs(10 * (1.35 + .1 + .1), 1e-12));  // 2.5 tokens a sequence
  CHECK_FALSE(first_step(costs, 8));
  ScheduledCosts step = costs;
  step.costs.verify = {{1, 1.}, {2, 1.6}, {3, 1.7}};
  CHECK(first_step(step, 2) == 4);
}

TEST_CASE("schedules: a batch that is too large and texts without tokens are refused") {
  CHECK(testing::message<UsageError>([] { compared(uneven_texts(true), some_costs(257), {}, {}); }) ==
        "257 sequences are more than a schedule is played with (256) ask of a batch of at most 256");
  CHECK_THROWS_AS(compared({{}, {}}, some_costs(2), {}, {}), InputError);
}
