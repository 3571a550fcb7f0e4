#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/exact/chain_rounds.h"
#include "analysis/replay/rule_replay.h"
#include "analysis/stats/tally_ratio.h"
#include "analysis/theory/expectation.h"
#include "sim/fast/engine.h"
#include "sim/sources/source.h"
#include "tests/random.h"

using namespace draftgauge;

namespace {

/// ln q − ln p of each token of a text drawn from the target, from context 0 on.
std::vector<double> ratios_along_text(PairTables const& tables, std::size_t tokens, testing::Random& random) {
  std::vector<double> ratios;
  std::uint32_t row = 0;
  while (ratios.size() < tokens) {
    std::uint64_t left = random.below(tables.total(row));
    Token x = 0;
    for (; left >= tables.p(row)[x]; ++x) left -= tables.p(row)[x];
    ratios.push_back(std::log(static_cast<double>(tables.q(row)[x]) / static_cast<double>(tables.p(row)[x])));
    row = tables.contexts().after(row, x);
  }
  return ratios;
}
/// a = min(1, q/p).
std::vector<double> accepted(std::vector<double> ratios) {
  for (double& ratio : ratios) ratio = std::exp(std::min(0., ratio));
  return ratios;
}

/// ΣT/ΣR over pieces of a text, and five standard errors of it: of R the text's recursion gives each piece its part,
/// R(begin) − R(end), so that no piece has an end of its own.
struct Estimate {
  double value, tolerance;
};
Estimate by_replay(std::vector<double> rounds, std::size_t pieces) {
  std::size_t const length = rounds.size() / pieces;
  double const ratio = static_cast<double>(rounds.size()) / rounds.front();
  rounds.push_back(0);
  double squares = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    double const d = static_cast<double>(length) - ratio * (rounds[i * length] - rounds[(i + 1) * length]);
    squares += d * d;
  }
  double const mean_rounds = rounds.front() / static_cast<double>(pieces);
  double const error = std::sqrt(squares / static_cast<double>(pieces - 1) / static_cast<double>(pieces));
  return {ratio, 5 * error / mean_rounds};
}

}  // namespace

// Fixed seeds. False alarms: 1e-9 for each simulation's interval; 5 standard errors over 200 pieces, 1e-6 (Student's
// t).
TEST_CASE("on n-grams of a real text simulation, exact sums and replay along the target's text agree") {
  std::string const text = "ngram:text=" DRAFTGAUGE_SOURCE_DIR "/data/alice.txt,vocab=6";
  testing::Random random(2024);
  for (auto const& [orders, tolerance] : {std::pair(",target=3,draft=2", .01), std::pair(",target=4,draft=1", .01)}) {
    Source const source = open_source(text + orders);
    PairTables const& tables = source.tables;
    std::vector<double> const ratios = ratios_along_text(tables, 200'000, random), accept = accepted(ratios);
    for (int const gamma : {1, 4, 8}) {
      CAPTURE(source.description, gamma);
      Task task;
      task.shape.gamma = gamma;
      Simulation const simulation(task, tables, 5);
      // Every way to a number, from the same starts or in the long run.
      auto const played = simulate(simulation, {0, 4000}, cpu_backend(), 2);
      auto const seen = safe_tally_ratio(simulation, played.tally, TallyLayout::tokens, 1 - 1e-9);
      double const trial = closed_form_tokens(simulation)->value;
      REQUIRE(seen);
      CHECK(seen->interval.low < trial);
      CHECK(seen->interval.high > trial);
      CHECK(seen->interval.high - seen->interval.low < .2 * trial);

      auto const forever = long_run_tokens(tables, gamma, true);
      REQUIRE(forever);
      auto const [replayed, five_errors] = by_replay(token_rounds(accept, task.shape).mean, 200);
      CHECK(std::abs(replayed - *forever) < five_errors);
      CHECK(five_errors < tolerance * *forever);  // what the comparison would have found: a hundredth
      std::uint32_t const root[] = {0};
      CHECK(chain_tokens_per_round(tables, task.shape, root, 5000) == Approx(*forever).epsilon(1e-3));

      // The block rule, in a million rounds (a standard error of a thousandth) from trials so long that where they
      // start is another; false alarm 2e-6.
      task.rule = "block";
      task.rounds_per_trial = 1000;
      Simulation const blocks(task, tables, 6);
      auto const long_run =
          tally_ratio(blocks, simulate(blocks, {0, 1000}, cpu_backend(), 2).tally, TallyLayout::tokens, .95);
      auto const [block, five_more] = by_replay(rule_replay_named("block").rounds(ratios, task.shape, {}).mean, 200);
      REQUIRE(long_run);
      CHECK(std::abs(block - long_run->value) < five_more + .006 * block);
      CHECK(five_more < 2 * tolerance * block);
      if (gamma > 1) CHECK(block > replayed);
    }
  }
}

TEST_CASE("an n-gram model of thousands of contexts has its exact trial, too") {
  Source const source = open_source("ngram:text=" DRAFTGAUGE_SOURCE_DIR "/data/alice.txt,target=4");
  Task task;
  task.shape.gamma = 4;
  task.rounds_per_trial = 16;
  Simulation const simulation(task, source.tables, 5);
  auto const exact = closed_form_tokens(simulation);
  REQUIRE(exact);
  auto const played = simulate(simulation, {0, 10'000}, cpu_backend(), 2);
  auto const seen = safe_tally_ratio(simulation, played.tally, TallyLayout::tokens, 1 - 1e-9);
  REQUIRE(seen);
  CHECK(seen->interval.low < exact->value);
  CHECK(seen->interval.high > exact->value);
  CHECK_FALSE(long_run_tokens(source.tables, 4, true));  // too many contexts for matrices
}
