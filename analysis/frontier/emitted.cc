#include "analysis/frontier/emitted.h"

#include "analysis/exact/stream.h"
#include "analysis/frontier/divergences.h"
#include "analysis/frontier/round_program.h"

namespace draftgauge {
namespace {

/// Adds a share of what one start has, where it has it.
template <class Value>
void add(std::optional<Value>& sum, std::optional<Value> const& value, Rational const& share) {
  if (sum && value)
    *sum += share * *value;
  else
    sum.reset();
}

bool has_frontier(Task const& task) {
  Task const named = with_own_drafting(task);
  return named.drafter == "sample" && named.policy == "fixed" && task.shape.branching == 1 && task.shape.bonus &&
         !task.shape.continues && task.shape.gamma >= 1 && rule_card(task.rule).reference == Reference::target;
}

std::optional<Rational> frontier_at(ExactModel const& model, int gamma, Rational const& distance, int length,
                                    std::uint32_t start) {
  try {
    RoundFrontier const found = round_frontier(model, gamma, distance, length, start);
    return found.attained ? std::optional(found.mean_accepted) : std::nullopt;
  } catch (NotEnumerable const&) {
    return std::nullopt;
  }
}

}  // namespace

Emitted emitted_by(Task const& task, ExactModel const& model, std::span<std::uint32_t const> starts, int length,
                   std::uint64_t max_paths) {
  std::uint32_t const anywhere[] = {0};
  if (starts.empty()) starts = anywhere;
  ExactModel const reference = referred(model, rule_card(task.rule).reference);
  std::uint32_t const vocab = model.contexts().vocab;
  Rational const share(1, starts.size());
  double const part = 1.0 / static_cast<double>(starts.size());
  Emitted sum;
  for (std::uint32_t const start : starts) {
    ExactRound const round = exact_round(task, model, start, max_paths);
    SequenceLaw const output = completed(round, reference, length, start);
    SequenceLaw const target = target_law(reference, length, start);
    auto const first = marginal(output, 0, vocab), right = marginal(target, 0, vocab);
    sum.first_distance += share * total_variation(first, right);
    sum.first_divergence += part * relative_entropy(first, right);
    sum.first_divergence_back += part * relative_entropy(right, first);
    sum.divergence_back += part * divergence(target, output);
    for (Token x = 0; x < vocab; ++x)
      if (right[x] == 0) sum.impossible += share * first[x];
    auto const stream = stream_law(task, model, length, start, max_paths);
    add(sum.stream_distance, stream ? std::optional(total_variation(*stream, target)) : std::nullopt, share);
    if (stream) sum.stream_divergence += part * divergence(*stream, target);
    if (!has_frontier(task)) {
      sum.bound.reset();
      sum.frontier.reset();
      continue;
    }
    Rational const distance = total_variation(output, target);
    add(sum.bound, round_bound(model, task.shape.gamma, distance, start), share);
    add(sum.frontier, frontier_at(model, task.shape.gamma, distance, length, start), share);
  }
  return sum;
}

}  // namespace draftgauge
