#include "analysis/batch/schedule_examples.h"

#include "analysis/batch/joint_tokens.h"
#include "analysis/exact/written_rational.h"
#include "sim/sources/by_hand.h"

namespace draftgauge {
namespace {

template <class F>
void for_parts(std::string_view list, char separator, F const& f) {
  for (std::size_t at = 0; at <= list.size();) {
    std::size_t const end = std::min(list.find(separator, at), list.size());
    f(list.substr(at, end - at));
    at = end + 1;
  }
}

std::vector<std::vector<WrittenNumber>> rows_in(std::string_view text) {
  std::vector<std::vector<WrittenNumber>> rows;
  for_parts(text, ';', [&](std::string_view row) {
    auto& entries = rows.emplace_back();
    for_parts(row, ',', [&](std::string_view entry) { entries.push_back(parse_written(entry)); });
  });
  return rows;
}

/// TV of the first `compared` requests' texts in one round from a row.
Rational distance_from(ScheduleCard const& schedule, ScheduleTest const& test, ExactModel const& model,
                       std::uint32_t row) {
  std::vector<BatchRequest> const requests(static_cast<std::size_t>(test.requests), {&model, row, test.gamma});
  ExactSchedule const exact =
      exact_schedule(schedule_call(schedule.name), requests, right_estimates(requests), pass_times(test));
  int const length = test.gamma + 1;
  SequenceLaw of_compared;
  for (auto const& [tokens, chance] : exact_batch("token", requests, exact, length).joint)
    of_compared[{tokens.begin(), tokens.begin() + std::ptrdiff_t{test.compared()} * length}] += chance;
  return total_variation(
      of_compared, joint_target({requests.begin(), requests.begin() + test.compared()}, length));
}

}  // namespace

Source schedule_source(ScheduleTest const& test) {
  TablesByHand const tables{rows_in(test.p), rows_in(test.q), ""};
  RowList rows = rows_by_hand(tables, {"p", "q"}, {});
  return {.description = "p = " + std::string(test.p) + ", q = " + std::string(test.q),
          .tables = tables_by_hand("the test", tables, "", rows, 1),
          .rounding = rows.rounding(),
          .written = written_rows(tables, rows)};
}

std::vector<Rational> pass_times(ScheduleTest const& test) {
  std::vector<Rational> times;
  if (!test.times.empty())
    for_parts(test.times, ',', [&](std::string_view time) { times.push_back(parse_rational(std::string(time))); });
  return times;
}

BatchTask batch_of(ScheduleCard const& schedule, ScheduleTest const& test) {
  BatchTask batch{.requests = test.requests, .schedule = std::string(schedule.name), .joint = test.gamma + 1};
  batch.task.rule = "token";
  batch.task.shape.gamma = test.gamma;
  batch.task.rounds_per_trial = static_cast<std::uint32_t>(batch.joint);
  for (Rational const& time : pass_times(test)) batch.times.push_back(static_cast<double>(time));
  return batch;
}

ScheduleFinding examine(ScheduleCard const& schedule, ScheduleTest const& test, std::uint64_t rounds,
                        std::uint64_t seed, BatchBackend const& backend, int threads) {
  Source const source = schedule_source(test);
  ExactModel const model = exact_model(source);
  Rational distance = 0;
  for (std::uint32_t row = 0; row < model.contexts().rows; ++row)
    distance += distance_from(schedule, test, model, row) / model.contexts().rows;
  BatchSimulation const simulation(batch_of(schedule, test), source.tables, seed);
  std::uint64_t const each = static_cast<std::uint64_t>(test.requests) * simulation.task().task.rounds_per_trial;
  PlayedBatches const played = simulate_batches(simulation, {0, (rounds + each - 1) / each}, backend, threads);
  return {distance, g_test(joint_counts(played.tally, 0, test.compared()), *joint_law(simulation, test.compared())),
          played.tally.each()[TallyLayout::rounds]};
}

}  // namespace draftgauge
