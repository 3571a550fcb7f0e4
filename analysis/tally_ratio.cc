#include "analysis/tally_ratio.h"

#include <algorithm>

namespace draftgauge {
namespace {

struct Bounds {
  double least, most;
};

Bounds bounds(Tally const& tally, TallyLayout::Field field) {
  double const gamma = tally.layout().gamma;
  switch (field) {
    case TallyLayout::tokens: return {1, gamma + 1};
    case TallyLayout::started: return {0, 1};
    default: return {0, gamma};
  }
}

std::optional<Interval> within(std::optional<Interval> interval, Bounds const& bounds) {
  if (interval) {
    interval->low = std::max(interval->low, bounds.least);
    interval->high = std::min(interval->high, bounds.most);
  }
  return interval;
}

Interval scaled(Interval const& interval, double factor) {
  return {interval.value * factor, interval.low * factor, interval.high * factor, interval.confidence};
}

Interval quotient(double numerator, Interval const& interval) {
  return {numerator / interval.value, numerator / interval.high, numerator / interval.low, interval.confidence};
}

}  // namespace

RatioSums ratio_sums(Tally const& tally, TallyLayout::Field field) {
  auto const at = [&](int offset) { return tally[static_cast<TallyLayout::Field>(field + offset)]; };
  return {tally[TallyLayout::trials], at(0), tally[TallyLayout::rounds],
          at(1),                      at(2), tally[TallyLayout::rounds_squared]};
}

std::optional<Interval> tally_ratio(Tally const& tally, TallyLayout::Field field, double confidence) {
  return within(ratio_interval(ratio_sums(tally, field), confidence), bounds(tally, field));
}

std::optional<Interval> safe_tally_ratio(Tally const& tally, TallyLayout::Field field, double confidence) {
  Bounds const range = bounds(tally, field);
  auto const safe = bounded_ratio_interval(ratio_sums(tally, field), range.least, range.most, confidence);
  return safe ? within(safe, range) : tally_ratio(tally, field, confidence);
}

PricedRounds priced(Tally const& tally, Interval const& tokens_per_round, double cost, double ops_cost) {
  auto const per_round = [&](TallyLayout::Field field) {
    return static_cast<double>(tally[field]) / static_cast<double>(tally[TallyLayout::rounds]);
  };
  double const reads = per_round(TallyLayout::target_passes);
  double const time = cost * per_round(TallyLayout::draft_steps) + reads;
  double const work = ops_cost * per_round(TallyLayout::drafted_tokens) + per_round(TallyLayout::scored_tokens);
  return {scaled(tokens_per_round, 1 / time), quotient(work, tokens_per_round), quotient(reads, tokens_per_round)};
}

}  // namespace draftgauge
