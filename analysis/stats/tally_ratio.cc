#include "analysis/stats/tally_ratio.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace draftgauge {
namespace {

struct Bounds {
  double least, most;
};

Bounds bounds(RoundShape const& shape, TallyLayout::Field field) {
  double const gamma = shape.gamma;
  switch (field) {
    case TallyLayout::tokens: return {1, shape.bonus ? gamma + 1 : gamma};
    case TallyLayout::started: return {0, std::min(gamma, 1.0)};
    default: return {0, gamma};
  }
}

Interval within(Interval interval, Bounds const& bounds) {
  interval.low = std::max(interval.low, bounds.least);
  interval.high = std::min(interval.high, bounds.most);
  return interval;
}

Measured scaled(Measured const& estimate, double factor) {
  return {scaled(estimate.interval, factor), estimate.detectable * factor};
}

Interval quotient(double numerator, Interval interval) {
  std::swap(interval.low, interval.high);
  return mapped(interval, [&](double x) { return numerator / x; });
}

Measured quotient(double numerator, Measured const& estimate) {
  double const value = estimate.interval.value, least = value - estimate.detectable;
  double const detectable =
      least > 0 ? numerator / least - numerator / value : std::numeric_limits<double>::infinity();
  return {quotient(numerator, estimate.interval), detectable};
}

/// The sums over single rounds; none where the histogram of accepted drafts does not tell a round's count.
std::optional<RatioSums> round_sums(RoundShape const& shape, Tally const& tally, TallyLayout::Field field) {
  RatioSums sums{};
  auto const accepted = tally.accepted();
  for (std::size_t tau = 0; tau < accepted.size(); ++tau) {
    std::uint64_t const tokens = std::min<std::uint64_t>(tau + 1, accepted.size() - (shape.bonus ? 0 : 1));
    std::uint64_t const count = field == TallyLayout::tokens            ? tokens
                                : field == TallyLayout::drafts_accepted ? tau
                                                                        : tau > 0;
    sums.add(count, 1, accepted[tau]);
  }
  bool const all = sums.rounds == tally[TallyLayout::rounds] && sums.tokens == tally[field];
  return all ? std::optional(sums) : std::nullopt;
}

template <class T>
Priced<T> prices(Tally const& tally, T const& tokens_per_round, double cost, double ops_cost) {
  auto const per_round = [&](TallyLayout::Field field) {
    return static_cast<double>(tally[field]) / static_cast<double>(tally[TallyLayout::rounds]);
  };
  double const reads = per_round(TallyLayout::target_passes);
  double const time = time_of_passes(cost, per_round(TallyLayout::draft_steps), reads);
  double work = ops_cost * per_round(TallyLayout::drafted_tokens) + per_round(TallyLayout::scored_tokens);
  if (tally[TallyLayout::scored_tokens] == 0) work = std::nan("");  // a tree too wide to be paid for
  return {scaled(tokens_per_round, 1 / time), quotient(work, tokens_per_round), quotient(reads, tokens_per_round)};
}

}  // namespace

RatioSums ratio_sums(Tally const& tally, TallyLayout::Field field) {
  auto const at = [&](int offset) { return tally[static_cast<TallyLayout::Field>(field + offset)]; };
  return {tally[TallyLayout::trials],        at(0), tally[TallyLayout::rounds], at(1), at(2),
          tally[TallyLayout::rounds_squared]};
}

TrialShape trial_shape(Task const& task, Contexts const& contexts) {
  bool const independent = contexts.follow == Follow::independent &&
                           !policy_card(with_own_drafting(task).policy).adapts &&
                           !rule_card(task.rule).counterexample;
  return {task.shape, task.rounds_per_trial, task.rounds_per_trial == 1 || independent};
}

Replicates replicates(TrialShape const& shape, Tally const& tally, TallyLayout::Field field) {
  Bounds const range = bounds(shape.round, field);
  auto const of_rounds = shape.independent_rounds ? round_sums(shape.round, tally, field) : std::nullopt;
  std::uint32_t const most_rounds = of_rounds ? 1 : shape.rounds_per_trial;
  return {of_rounds ? *of_rounds : ratio_sums(tally, field), most_rounds, (range.most - range.least) * most_rounds};
}

std::optional<Interval> tally_ratio(TrialShape const& shape, Tally const& tally, TallyLayout::Field field,
                                    double confidence) {
  Bounds const range = bounds(shape.round, field);
  auto const [sums, most_rounds, most] = replicates(shape, tally, field);
  if (field == TallyLayout::started && shape.independent_rounds) {
    auto const exact = binomial_interval(sums.tokens, sums.rounds, confidence);
    return exact ? std::optional(within(*exact, range)) : std::nullopt;
  }
  if (residual_squares(sums) >= enough_spread * most * most) {
    auto const limit = ratio_interval(sums, confidence);
    return limit ? std::optional(within(*limit, range)) : std::nullopt;
  }
  auto const safe = safe_tally_ratio(shape, tally, field, confidence);
  return safe ? std::optional(safe->interval) : std::nullopt;
}

std::optional<Interval> tally_ratio(Simulation const& simulation, Tally const& tally, TallyLayout::Field field,
                                    double confidence) {
  return tally_ratio(trial_shape(simulation.task(), simulation.tables().contexts()), tally, field, confidence);
}

std::optional<Measured> safe_tally_ratio(TrialShape const& shape, Tally const& tally, TallyLayout::Field field,
                                         double confidence) {
  Bounds const range = bounds(shape.round, field);
  Replicates const units = replicates(shape, tally, field);
  auto safe = bounded_ratio(units.sums, range.least, range.most, units.most_rounds, confidence);
  if (safe) safe->interval = within(safe->interval, range);
  return safe;
}

std::optional<Measured> safe_tally_ratio(Simulation const& simulation, Tally const& tally, TallyLayout::Field field,
                                         double confidence) {
  return safe_tally_ratio(trial_shape(simulation.task(), simulation.tables().contexts()), tally, field, confidence);
}

Priced<Interval> priced(Tally const& tally, Interval const& tokens_per_round, double cost, double ops_cost) {
  return prices(tally, tokens_per_round, cost, ops_cost);
}

Priced<Measured> priced(Tally const& tally, Measured const& tokens_per_round, double cost, double ops_cost) {
  return prices(tally, tokens_per_round, cost, ops_cost);
}

}  // namespace draftgauge
