#include "analysis/batch/batch_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/batch/joint_tokens.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

constexpr double most_starts = 64;

std::string tokens_text(int tokens) {
  return tokens == 1 ? "the first token" : fmt::format("tokens 1 to {}", tokens);
}

Check claim_of(BatchSimulation const& simulation, std::string name) {
  BatchTask const& batch = simulation.task();
  Check check;
  check.name = std::move(name);
  check.statement = claim_on_output(rule_card(batch.task.rule).reference);
  check.rule = batch.task.rule;
  check.policy = batch.task.policy;
  check.gamma = batch.task.shape.gamma;
  check.schedule = batch.schedule;
  check.requests = batch.requests;
  check.closed_form = 0;
  return check;
}

std::string jointly(int tokens, int requests) {
  return requests == 1 ? fmt::format("{} jointly (TV)", tokens_text(tokens))
                       : fmt::format("{} of all {} requests jointly (TV)", tokens_text(tokens), requests);
}

}  // namespace

std::vector<Check> check_batch(BatchSimulation const& simulation, BatchTally const& tally,
                               CheckOptions const& options) {
  int const requests = simulation.task().requests, tokens = tally.layout().joint;
  auto const law = joint_law(simulation, requests);
  if (!law) return {};
  auto const judged = [&](std::string name, std::vector<std::vector<std::uint64_t>> const& counts,
                          std::vector<double> const& claimed) {
    Check check = claim_of(simulation, std::move(name));
    check.false_alarm = options.false_alarm;
    return judge_laws(check, {counts.begin(), counts.end()}, claimed, options);
  };
  std::vector<Check> checks{judged(jointly(tokens, requests), {joint_counts(tally, 0, requests)}, *law)};
  if (requests == 1) return checks;
  std::vector<std::vector<std::uint64_t>> each;
  for (int r = 0; r < requests; ++r) each.push_back(joint_counts(tally, r, 1));
  checks.push_back(
      judged(fmt::format("{} of each request (TV)", tokens_text(tokens)), each, *joint_law(simulation, 1)));
  return checks;
}

std::optional<Check> check_exact_batch(BatchSimulation const& simulation, ExactModel const& model,
                                       std::vector<Rational> const& times, std::uint64_t max_paths) {
  BatchTask const& batch = simulation.task();
  int const gamma = batch.task.shape.gamma;
  std::vector<std::uint32_t> starts = simulation.each().starts();
  if (starts.empty()) starts = {0};
  double const combinations = std::pow(static_cast<double>(starts.size()), batch.requests);
  double const paths = std::pow(model.contexts().vocab, batch.requests * gamma);
  if (combinations > most_starts || combinations * paths > static_cast<double>(max_paths)) return std::nullopt;
  try {
    Rational distance = 0;
    for (std::uint64_t which = 0; which < static_cast<std::uint64_t>(combinations); ++which) {
      std::vector<BatchRequest> requests;
      for (std::uint64_t rest = which; requests.size() < static_cast<std::size_t>(batch.requests);
           rest /= starts.size())
        requests.push_back({&model, starts[rest % starts.size()], gamma});
      ExactSchedule const schedule =
          exact_schedule(simulation.schedule_called(), requests,
                         slot_estimates(parse_estimates(batch.estimates), requests), times);
      distance += exact_batch(batch.task.rule, requests, schedule, gamma + 1, max_paths).distance;
    }
    Check check = claim_of(simulation, jointly(gamma + 1, batch.requests));
    check.exact = static_cast<double>(distance) / combinations;
    check.verdict = distance == 0 ? Verdict::holds : Verdict::fails;
    return check;
  } catch (NotEnumerable const&) {
    return std::nullopt;
  }
}

}  // namespace draftgauge
