#include "sim/batch/batch_simulation.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/error.h"
#include "sim/schedules/estimates.h"
#include "sim/task/limits.h"

namespace draftgauge {
namespace {

Task checked_request(Task task) {
  if (task.policy.empty()) task.policy = "fixed";
  if (task.policy != "fixed")
    throw UsageError(
        "`policy` " + task.policy + " has no meaning beside a schedule (which decides how much is verified)",
        "leave `policy` out");
  if (task.shape.branching > 1 || task.shape.tree.listed())
    throw UsageError("a schedule verifies chains of drafts (here are several candidates)", "leave the tree out");
  if (RuleCard const& rule = rule_card(task.rule); rule.counterexample)
    throw UsageError(
        "rule " + std::string(rule.name) + " is faulty by itself (a batch is played with a rule that is right)",
        "choose another `rule`");
  return task;
}

BatchTask checked_batch(BatchTask task) {
  task.task = checked_request(std::move(task.task));
  if (task.requests < 1 || task.requests > max_requests)
    throw UsageError("`requests` " + std::to_string(task.requests) + " is out of range (1 to " +
                         std::to_string(max_requests) + " can be simulated)",
                     "give a number from 1 to " + std::to_string(max_requests));
  if (int const slots = task.requests * task.task.shape.gamma; slots > max_batch_slots)
    throw UsageError(
        std::to_string(slots) + " slots are more than a batch holds (" + std::to_string(max_batch_slots) + ")",
        "use fewer `requests` or a smaller `gamma`");
  task.schedule = schedule_text(schedule_call(task.schedule));
  return task;
}

/// Σ min(p, q) of a row, or the largest q.
double estimate_of_row(PairTables const& tables, std::uint32_t row, bool right) {
  auto const p = tables.p(row), q = tables.q(row);
  std::uint64_t of = 0;
  for (std::size_t x = 0; x < p.size(); ++x)
    of = right ? of + std::min(p[x], q[x]) : std::max<std::uint64_t>(of, q[x]);
  return static_cast<double>(of) / static_cast<double>(tables.total(row));
}

std::vector<double> estimates_of(BatchTask const& task, PairTables const& tables) {
  EstimateText const asked = parse_estimates(task.estimates);
  std::vector<double> estimates;
  if (asked.kind == EstimateText::Kind::by_place) {
    for (WrittenNumber const& number : asked.places) estimates.push_back(number.value);
    estimates.resize(static_cast<std::size_t>(task.task.shape.gamma), estimates.back());
  } else {
    for (std::uint32_t row = 0; row < tables.rows(); ++row)
      estimates.push_back(estimate_of_row(tables, row, asked.kind == EstimateText::Kind::right));
  }
  return estimates;
}

SlotEstimates estimates_view(EstimateText::Kind kind, std::vector<double> const& estimates) {
  if (kind == EstimateText::Kind::by_place) return {.by_row = nullptr, .by_place = estimates.data()};
  return {.by_row = estimates.data()};
}

std::vector<double> times_of(BatchTask const& task) {
  std::size_t const count =
      static_cast<std::size_t>(task.requests) * static_cast<std::size_t>(task.task.shape.gamma) + 1;
  if (task.times.empty()) return std::vector<double>(count, 1);
  if (task.times.size() != count)
    throw UsageError(std::to_string(task.times.size()) + " times for passes that verify 0 to " +
                         std::to_string(count - 1) + " slots (each has one)",
                     "give " + std::to_string(count));
  for (double const time : task.times)
    if (!(time > 0 && std::isfinite(time)))
      throw UsageError("a pass takes " + std::to_string(time) + " (times are positive)", "mend the times");
  return task.times;
}

BatchTallyLayout layout_of(BatchTask const& task, Simulation const& each) {
  BatchTallyLayout const layout{each.plan().tally, task.requests, task.joint};
  if (task.joint < 0 || too_many_cells(std::pow(each.tables().vocab(), task.joint * task.requests)))
    throw UsageError("`joint` " + std::to_string(task.joint) + " of " + std::to_string(task.requests) +
                         " requests needs more than 2^26 counts at " + std::to_string(each.tables().vocab()) +
                         " tokens",
                     "count fewer, or take a smaller vocabulary");
  return layout;
}

}  // namespace

BatchSimulation::BatchSimulation(BatchTask task, PairTables const& tables, std::uint64_t seed)
    : task_(checked_batch(std::move(task))),
      each_(task_.task, tables, seed),
      schedule_(schedule_call(task_.schedule)),
      estimates_(estimates_of(task_, tables)),
      times_(times_of(task_)),
      plan_{.each = each_.plan(),
            .tally = layout_of(task_, each_),
            .schedule = AnySchedule(schedule_),
            .estimates = estimates_view(parse_estimates(task_.estimates).kind, estimates_),
            .time = times_.data()} {
  if (plan_.each.tables.reach)
    throw UsageError("a batch needs texts without end (this recording is read along its text)",
                     "read its rows as a bag");
  task_.task = each_.task();
}

void BatchSimulation::check(Range range) const {
  std::uint64_t const requests = static_cast<std::uint64_t>(task_.requests);
  if (range.end > ~std::uint64_t{0} / requests)
    throw UsageError(
        "batch number " + std::to_string(range.end) + " is out of range (its requests are trials of 64 bits)",
        "count from a smaller number");
  each_.check({range.begin * requests, range.end * requests});
}

Tally BatchTally::each() const {
  Tally tally(layout_.each);
  std::copy_n(counts_.begin(), tally.counts().size(), tally.counts().begin());
  return tally;
}

BatchTally& BatchTally::operator+=(BatchTally const& other) {
  if (!(layout_ == other.layout_)) throw std::invalid_argument("tallies of other batches do not add");
  std::ranges::transform(counts_, other.counts_, counts_.begin(), std::plus<>());
  return *this;
}

}  // namespace draftgauge
