#include <catch2/catch.hpp>

#include "analysis/batch/exact_batch.h"
#include "sim/batch/batch_engine.h"
#include "tests/models.h"
#include "tests/random.h"

// Where estimates or times tie, doubles decide as fractions do.

namespace draftgauge {
namespace {

TEST_CASE("ties: a threshold that a product just reaches is reached in doubles, too") {
  ExactModel const model = testing::one_context({1, 1}, {1, 2});
  std::vector<BatchRequest> const requests{{&model, 0, 2}};
  ScheduleCall const call = schedule_call("threshold:survival=49/100");
  SlotEstimate const estimates = estimates_by_place({Rational(7, 10), Rational(7, 10)});
  ExactBatch const exact = exact_batch("token", requests, exact_schedule(call, requests, estimates, {}), 3);
  CHECK(exact.lengths == std::map<std::vector<int>, Rational>{{{2}, Rational(1)}});
  PairTables const tables = testing::integer_tables(model);
  BatchTask task{.schedule = "threshold:survival=49/100", .estimates = "0.7,0.7"};
  task.task.rule = "token";
  task.task.shape.gamma = 2;
  task.task.rounds_per_trial = 1;
  BatchSimulation const simulation(task, tables, 1);
  CHECK(simulate_batches(simulation, {0, 100}, serial_batches(), 1).tally.slots()[2] == 100);
}

TEST_CASE("ties: every schedule decides in doubles as in fractions") {
  constexpr int gamma = 3, requests = 4, slots = gamma * requests;
  std::size_t several = 0;  // of which not all or none is verified
  for (ScheduleCard const& card : schedule_cards())
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
      testing::Random random(seed);
      std::vector<int> const gammas(requests, gamma);
      std::vector<Token> tokens;
      std::vector<Rational> exact, times{Rational(1)}, memory;
      for (int i = 0; i < slots; ++i) {
        tokens.push_back(static_cast<Token>(random.below(2)));
        exact.emplace_back(1 + random.below(9), 10);  // few values, whose products tie
        times.push_back(times.back() + Rational(random.below(5), 20));
      }
      for (int r = 0; r < requests; ++r) memory.emplace_back(random.below(16), 5);
      std::vector<double> doubles, double_times, double_memory;
      for (auto const& [from, to] : {std::pair(&exact, &doubles), std::pair(&times, &double_times),
                                     std::pair(&memory, &double_memory)})
        for (Rational const& one : *from) to->push_back(static_cast<double>(one));
      ScheduleCall call = schedule_call(card.name);
      for (std::size_t i = 0; i < card.parameters.size(); ++i)
        call.values.value[i] = card.parameters[i].whole
                                   ? Ratio{static_cast<std::uint32_t>(random.below(slots)), 1}
                                   : Ratio{static_cast<std::uint32_t>(1 + random.below(99)), 100};
      AnySchedule const schedule(call);
      std::vector<int> by_fractions(requests), by_doubles(requests);
      schedule.decide(BatchDrafts<Rational>{requests, gamma, gammas.data(), tokens.data(), exact.data(), exact.data(),
                                            times.data()},
                      memory.data(), by_fractions.data());
      schedule.decide(BatchDrafts<double>{requests, gamma, gammas.data(), tokens.data(), doubles.data(),
                                          doubles.data(), double_times.data()},
                      double_memory.data(), by_doubles.data());
      INFO(schedule_text(call) << ", seed " << seed);
      REQUIRE(by_doubles == by_fractions);
      int sum = 0;
      for (int const one : by_doubles) sum += one;
      several += sum > 0 && sum < slots;
    }
  CHECK(several > 1500);
}

TEST_CASE("ties: a budget that stops at the convex times below its own is the budget of all slots") {
  constexpr int gamma = 4, requests = 8, slots = gamma * requests;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    testing::Random random(seed);
    std::vector<int> const gammas(requests, gamma);
    std::vector<double> estimates, times{1}, envelope;
    for (int i = 0; i < slots; ++i) {
      estimates.push_back((1 + static_cast<double>(random.below(99))) / 100);
      times.push_back(times.back() + static_cast<double>(random.below(3) == 0 ? random.below(30) : 0) / 100);
    }
    // By its definition: at n the least of all chords over it.
    for (int n = 0; n <= slots; ++n) {
      double least = times[static_cast<std::size_t>(n)];
      for (int a = 0; a < n; ++a)
        for (int b = n + 1; b <= slots; ++b) {
          double const from = times[static_cast<std::size_t>(a)], to = times[static_cast<std::size_t>(b)];
          least = std::min(least, from + (to - from) * (n - a) / (b - a));
        }
      envelope.push_back(least);
    }
    BatchDrafts<double> drafts{requests, gamma, gammas.data(), nullptr, nullptr, estimates.data(), times.data()};
    int const all = best_budget(drafts);
    drafts.envelope = envelope.data();
    INFO("seed " << seed);
    REQUIRE(best_budget(drafts) == all);
  }
}

}  // namespace
}  // namespace draftgauge
