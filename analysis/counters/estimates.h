#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/stats/interval.h"
#include "sim/base/error.h"

namespace draftgauge {

/// Of which units the intervals of counts are made.
enum class CountedOver {
  requests,   ///< which are independent of each other; rounds of one need not be
  parts,      ///< of one request, which has most of the rounds: other texts are not known
  rounds,     ///< taken to be independent: requests are not told apart
  stretches,  ///< of time, of each of which the engine says a mean: lines of its log
  totals,     ///< rounds, too, of which totals alone are known: as if each had kept all of its drafts or none
  nothing,    ///< the counts have no spread in them
};
/// "requests", "parts", "rounds", "totals", "stretches"; "none" of nothing.
std::string_view to_string(CountedOver over);

/// A number with its interval, where its error is known.
struct CountEstimate {
  double value;
  std::optional<Interval> interval = {};
};

/// What counts say, each with an interval over requests where these are told apart (Student's), else as if rounds were
/// independent: for tokens per round the middle of draws from the rates' posterior (survival_draws), for rates
/// Clopper and Pearson's. Totals of rounds of γ drafts do not say how rounds differ: no more than rounds of that mean
/// that keep all γ or none, of which Clopper and Pearson's interval is taken.
struct CounterEstimates {
  CountedOver over = CountedOver::nothing;
  std::size_t requests = 0;  ///< with a round
  std::optional<CountEstimate> tokens_per_round, alpha;
  std::string_view alpha_from = {};        ///< as CounterRates has it
  std::vector<CountEstimate> conditional;  ///< [i − 1]
};

/// seed: of the draws.
CounterEstimates counter_estimates(EngineCounters const& counters, double confidence, std::uint64_t seed = 1);

/// Of counters that are means of some time each, from which something cannot be had: why, and what to give.
InputError means_alone(EngineCounters const& counters, std::string_view why, std::string_view hint);

/// E[N] of these. Throws InputError for counters that are means of some time each, of which there is none.
CountEstimate const& tokens_per_round_of(EngineCounters const& counters, CounterEstimates const& estimates);

/// What to give where rounds are not counted and drafts may have ended early, so that their length does not say how
/// many there were.
std::string_view rounds_advice(EngineCounters const& counters);

/// The speed-up of so many tokens in a round of this time.
CountEstimate over_time(CountEstimate tokens, double time);

}  // namespace draftgauge
