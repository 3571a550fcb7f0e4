#pragma once
#include <optional>

#include "analysis/interval.h"
#include "sim/tally.h"

namespace draftgauge {

/// The sums behind the ratio Σx/Σr of a tally, x one of the fields that carry squares and products: tokens,
/// drafts_accepted, started.
RatioSums ratio_sums(Tally const& tally, TallyLayout::Field field);

/// Σx/Σr with the interval of ratio_interval, within what the ratio can be (a round emits 1 to γ+1 tokens).
std::optional<Interval> tally_ratio(Tally const& tally, TallyLayout::Field field, double confidence);

/// The same by bounded_ratio_interval, which holds at any confidence and sample size, where every trial has as many
/// rounds as the others; else (a recorded text that ends) as tally_ratio.
std::optional<Interval> safe_tally_ratio(Tally const& tally, TallyLayout::Field field, double confidence);

/// Speed-up, operations and target reads per token, as the passes that the tally counted price them: time is c per draft
/// step and 1 per target pass, operations are ĉ per drafted token and 1 per scored one, against 1 each per token of
/// plain decoding. All three are monotone in tokens per round and share its interval.
struct PricedRounds {
  Interval speedup, operations, memory_reads;
};
PricedRounds priced(Tally const& tally, Interval const& tokens_per_round, double cost, double ops_cost);

}  // namespace draftgauge
