#include "analysis/texts/text_limits.h"

#include <algorithm>

namespace draftgauge {

Limits tokens_in_round(int gamma, bool bonus) { return {1, static_cast<double>(gamma) + (bonus ? 1 : 0)}; }

Interval cut_to(Limits const& limits, Interval interval) {
  interval.low = std::min(std::max(interval.low, limits.least), interval.value);
  interval.high = std::max(std::min(interval.high, limits.most), interval.value);
  return interval;
}

std::optional<Interval> interval_within(TextEstimate const& estimate, double confidence, Limits const& limits) {
  auto const interval = delta_interval(estimate, confidence);
  return interval ? std::optional(cut_to(limits, *interval)) : std::nullopt;
}

}  // namespace draftgauge
