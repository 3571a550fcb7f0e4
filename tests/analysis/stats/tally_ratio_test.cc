#include "analysis/stats/tally_ratio.h"

#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "sim/fast/engine.h"

using namespace draftgauge;

namespace {

/// p and q over two tokens, of acceptance `accepted`/1000.
PairTables two_tokens(std::uint64_t accepted, Follow follow = Follow::independent) {
  RowPair const row{{accepted, 1000 - accepted}, {1000, 0}, 1000};
  return follow == Follow::token ? PairTables{{row, row}, follow} : PairTables{{row}, follow};
}

Simulation simulation(PairTables const& tables, std::uint32_t rounds_per_trial, bool bonus = true, int gamma = 1) {
  Task task;
  task.shape = {gamma, 1, bonus};
  task.rounds_per_trial = rounds_per_trial;
  return Simulation(task, tables, 1);
}

/// The tally of `trials` trials of one round at γ = 1, of which `accepted` accept their draft.
Tally tally_of(std::uint64_t trials, std::uint64_t accepted) {
  Tally tally({.gamma = 1, .vocab = 2});
  auto const set = [&](TallyLayout::Field field, std::uint64_t value) { tally.counts()[field] = value; };
  for (auto const field : {TallyLayout::trials, TallyLayout::rounds, TallyLayout::rounds_squared,
                           TallyLayout::target_passes, TallyLayout::draft_steps, TallyLayout::drafted_tokens})
    set(field, trials);
  set(TallyLayout::scored_tokens, 2 * trials);
  for (auto const field : {TallyLayout::drafts_accepted, TallyLayout::started})
    for (int i = 0; i < 3; ++i) set(static_cast<TallyLayout::Field>(field + i), accepted);
  set(TallyLayout::tokens, trials + accepted);
  set(TallyLayout::tokens_rounds, trials + accepted);
  set(TallyLayout::tokens_squared, trials + 3 * accepted);
  return tally;
}

}  // namespace

TEST_CASE("a report is no point where all trials agree") {
  PairTables const tables = two_tokens(999);
  Simulation const one = simulation(tables, 1);
  Tally const all = tally_of(100, 100);
  Interval const acceptance = tally_ratio(one, all, TallyLayout::started, .95).value();
  CHECK(acceptance.low == Approx(std::pow(.025, .01)).epsilon(1e-12));  // Clopper and Pearson's
  CHECK(acceptance.high == 1);
  for (auto const field : {TallyLayout::tokens, TallyLayout::drafts_accepted}) {
    Interval const interval = tally_ratio(one, all, field, .95).value();
    CHECK(interval.value - interval.low == Approx(7 * std::log(80.) / 297).epsilon(1e-12));
    CHECK(interval.high == interval.value);
    CHECK_FALSE(interval.asymptotic);
  }
  CHECK_FALSE(tally_ratio(one, tally_of(0, 0), TallyLayout::started, .95));
  CHECK_FALSE(tally_ratio(one, tally_of(1, 1), TallyLayout::tokens, .95));
}

TEST_CASE("a report is Student's where the limit is near, and no wider than it need be") {
  PairTables const tables = two_tokens(500);
  Simulation const one = simulation(tables, 1);
  Tally const tally = tally_of(1000, 500);
  Interval const report = tally_ratio(one, tally, TallyLayout::tokens, .95).value();
  CHECK(report.asymptotic);
  CHECK(report.high - report.value == Approx(1.9623 * .5 / std::sqrt(999)).epsilon(1e-4));
  CHECK_FALSE(tally_ratio(one, tally_of(1000, 25), TallyLayout::tokens, .95)->asymptotic);  // 24.4 < 25
  CHECK(tally_ratio(one, tally_of(1000, 26), TallyLayout::tokens, .95)->asymptotic);
  // Rounds that depend on each other are no binomial sample.
  PairTables const chain = two_tokens(500, Follow::token);
  CHECK(tally_ratio(simulation(chain, 64), simulate(simulation(chain, 64), {0, 20'000}, cpu_backend(), 1).tally,
                    TallyLayout::started, .95)
            ->asymptotic);
}

TEST_CASE("where rounds are independent, how many of them make a trial does not matter") {
  PairTables const tables = two_tokens(700);
  Simulation const one = simulation(tables, 1, true, 4), many = simulation(tables, 64, true, 4);
  Interval const single =
      tally_ratio(one, simulate(one, {0, 64'000}, cpu_backend(), 1).tally, TallyLayout::tokens, .95).value();
  Tally const tally = simulate(many, {0, 1'000}, cpu_backend(), 1).tally;
  for (auto const field : {TallyLayout::tokens, TallyLayout::drafts_accepted}) {
    Interval const report = tally_ratio(many, tally, field, .95).value();
    CHECK(report.asymptotic);  // over trials 5 times as wide, as for a chain
    CHECK(report.high - report.low == Approx(single.high - single.low).epsilon(.03));
  }
  CHECK(replicates(trial_shape(many.task(), tables.contexts()), tally, TallyLayout::tokens).sums.trials == 64'000);
  CHECK(safe_tally_ratio(many, tally, TallyLayout::tokens, .95)->interval.high - single.high < .02);
  for (bool const bonus : {true, false}) {  // a round's tokens from its accepted drafts
    Simulation const few = simulation(tables, 2, bonus, 3);
    Tally const both = simulate(few, {0, 500}, cpu_backend(), 1).tally;
    Replicates const units = replicates(trial_shape(few.task(), tables.contexts()), both, TallyLayout::tokens);
    CHECK(units.sums.trials == 1000);
    CHECK(units.sums.tokens == both[TallyLayout::tokens]);
    CHECK(units.range == (bonus ? 3 : 2));
  }
}

TEST_CASE("rounds that depend on each other are counted by trials") {
  PairTables const tables = two_tokens(700), chain = two_tokens(700, Follow::token);
  Task task;
  task.shape = {4, 1, true};
  task.rounds_per_trial = 64;
  CHECK(trial_shape(task, tables.contexts()).independent_rounds);
  CHECK_FALSE(trial_shape(task, chain.contexts()).independent_rounds);
  Task adapting = task, frozen = task;
  adapting.policy = "heuristic";
  frozen.rule = "faulty/frozen-noise";
  CHECK_FALSE(trial_shape(adapting, tables.contexts()).independent_rounds);
  CHECK_FALSE(trial_shape(frozen, tables.contexts()).independent_rounds);
  Simulation const trials(task, chain, 1);
  Tally const tally = simulate(trials, {0, 1'000}, cpu_backend(), 1).tally;
  Replicates const units = replicates(trial_shape(task, chain.contexts()), tally, TallyLayout::tokens);
  CHECK(units.sums.trials == 1'000);
  CHECK(units.range == 256);
}

TEST_CASE("what is reported at .95 covers at .935 or more whatever the acceptance: exact") {
  PairTables const tables = two_tokens(500);
  Simulation const one = simulation(tables, 1);
  double worst = 1;
  std::vector<Interval> intervals;
  constexpr int n = 1000;
  for (std::uint64_t k = 0; k <= n; ++k)
    intervals.push_back(tally_ratio(one, tally_of(n, k), TallyLayout::tokens, .95).value());
  for (double w = 1e-5; w < .5; w *= 1.1) {
    for (double const acceptance : {w, 1 - w}) {
      double covered = 0;
      for (int k = 0; k <= n; ++k)
        if (intervals[static_cast<std::size_t>(k)].covers(1 + acceptance))
          covered += pdf(boost::math::binomial(n, acceptance), k);
      worst = std::min(worst, covered);
    }
  }
  CHECK(worst >= .935);
}

TEST_CASE("to judge: cut to what the ratio can be, but what is detectable is not") {
  PairTables const tables = two_tokens(999);
  Simulation const one = simulation(tables, 1);
  Measured const safe = safe_tally_ratio(one, tally_of(40, 40), TallyLayout::tokens, 1 - 1e-8).value();
  CHECK(safe.interval.low == 1);  // the radius is 1.18
  CHECK(safe.interval.high == 2);
  CHECK(safe.detectable > 1.18);
  // Without the bonus token a round of one draft emits one token for certain.
  CHECK(safe_tally_ratio(simulation(tables, 1, false), tally_of(100, 0), TallyLayout::tokens, .95)->interval.high ==
        1);
}

TEST_CASE("prices follow tokens per round, detectable shifts included") {
  Tally const tally = tally_of(100, 60);
  Measured const tokens{{1.6, 1.5, 1.7, .95, true}, .2};
  auto const prices = priced(tally, tokens, .25, .5);  // a round takes 1.25 and works 2.5
  CHECK(prices.speedup.interval.value == Approx(1.28));
  CHECK(prices.speedup.interval.low == Approx(1.2));
  CHECK(prices.speedup.detectable == Approx(.16));
  CHECK(prices.speedup.interval.asymptotic);
  CHECK(prices.operations.interval.value == Approx(2.5 / 1.6));
  CHECK(prices.operations.interval.low == Approx(2.5 / 1.7));
  CHECK(prices.operations.interval.high == Approx(2.5 / 1.5));
  CHECK(prices.operations.detectable == Approx(2.5 / 1.4 - 2.5 / 1.6));
  CHECK(prices.memory_reads.detectable == Approx(1 / 1.4 - 1 / 1.6));
  CHECK(priced(tally, Measured{tokens.interval, 1.6}, .25, .5).operations.detectable ==
        std::numeric_limits<double>::infinity());
  CHECK(priced(tally, tokens.interval, .25, .5).memory_reads.high == Approx(1 / 1.5));
}
