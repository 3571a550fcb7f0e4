#include <catch2/catch.hpp>

#include "analysis/batch/exact_batch.h"
#include "analysis/stats/goodness.h"
#include "sim/batch/batch_engine.h"
#include "tests/models.h"

// Batches by simulation beside their exact distributions. A test of 1e-6 false alarm each, 14 of them; a TV of .01 is
// found with a power above .999 by 200 000 batches.

namespace draftgauge {
namespace {

constexpr int joint_tokens = 2;

struct SimulatedPair {
  PairTables tables;
  BatchTask task;

  SimulatedPair(ExactModel const& model, std::string schedule, std::vector<double> times, std::string rule = "token")
      : tables(testing::integer_tables(model)) {
    task.requests = 2;
    task.schedule = std::move(schedule);
    task.times = std::move(times);
    task.task.rule = std::move(rule);
    task.task.shape.gamma = 2;
    task.task.rounds_per_trial = joint_tokens;
    task.task.start = 0;
    task.joint = joint_tokens;
  }
  std::vector<std::uint64_t> counts() const {
    BatchSimulation const simulation(task, tables, 1);
    auto const tally = simulate_batches(simulation, {0, 200'000}, threaded_batches(), 2).tally;
    return {tally.joint().begin(), tally.joint().end()};
  }
};

std::vector<double> cells_of(SequenceLaw const& law, std::uint32_t vocab, int tokens) {
  std::vector<double> cells(static_cast<std::size_t>(std::pow(vocab, tokens)));
  for (auto const& [text, chance] : law) {
    std::size_t code = 0;
    for (Token const x : text) code = code * vocab + x;
    cells[code] = static_cast<double>(chance);
  }
  return cells;
}

}  // namespace

TEST_CASE("batches that are played have the joint distribution that is enumerated, for every schedule") {
  // By the token before; p = q nowhere.
  ExactModel const model(Follow::token, {testing::row({1, 3}, {3, 1}), testing::row({3, 1}, {1, 4})});
  std::vector<BatchRequest> const requests(2, {&model, 0, 2});
  std::vector<Rational> const exact_times{1, Rational(9, 5), Rational(9, 5), Rational(19, 10), Rational(19, 10)};
  std::vector<double> times;
  for (Rational const& time : exact_times) times.push_back(static_cast<double>(time));
  for (ScheduleCard const& card : schedule_cards()) {
    INFO(card.name);
    std::string const name = card.name == "top" ? "top:slots=3" : std::string(card.name);
    ExactSchedule const schedule =
        exact_schedule(schedule_call(name), requests, right_estimates(requests), exact_times);
    SequenceLaw const exact = exact_stream("token", requests, schedule, joint_tokens);
    auto const counts = SimulatedPair(model, name, times).counts();
    CHECK(g_test(counts, cells_of(exact, 2, 2 * joint_tokens)).p_value > 1e-6);
    // What is lossy is found lossy.
    SequenceLaw const target = joint_target(requests, joint_tokens);
    bool const lossless = exact == target;
    CHECK((card.sight == Sight::past || card.sight == Sight::sequential) <= lossless);
    CHECK((g_test(counts, cells_of(target, 2, 2 * joint_tokens)).p_value > 1e-6) == lossless);
  }
}

TEST_CASE("block verification under a schedule stays lossless, by simulation, too") {
  ExactModel const model(Follow::token, {testing::row({1, 3}, {3, 1}), testing::row({3, 1}, {1, 4})});
  std::vector<BatchRequest> const requests(2, {&model, 0, 2});
  auto const counts = SimulatedPair(model, "top:slots=3", {}, "block").counts();
  CHECK(g_test(counts, cells_of(joint_target(requests, joint_tokens), 2, 2 * joint_tokens)).p_value > 1e-6);
}

}  // namespace draftgauge
