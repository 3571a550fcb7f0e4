#pragma once
#include <cmath>
#include <optional>

#include "analysis/texts/text_ratio.h"

namespace draftgauge {

/// What a figure can be: few texts give intervals that reach beyond.
struct Limits {
  double least = -HUGE_VAL, most = HUGE_VAL;
};
inline constexpr Limits share{0, 1}, positive{0, HUGE_VAL}, correlation{-1, 1};
/// Of tokens in a round of γ drafts: from 1 to γ, or γ + 1 with the bonus token (Leviathan et al. 2023, arXiv
/// 2211.17192, Algorithm 1).
Limits tokens_in_round(int gamma, bool bonus);
/// Of the same in a unit of time.
inline Limits operator/(Limits const& limits, double time) { return {limits.least / time, limits.most / time}; }

/// The interval, cut to the limits; its value stays within.
Interval cut_to(Limits const& limits, Interval interval);

/// delta_interval, cut so.
std::optional<Interval> interval_within(TextEstimate const& estimate, double confidence, Limits const& limits);

}  // namespace draftgauge
