#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/texts/request_counts.h"

namespace draftgauge {

/// The histograms by draft length, as kaplan_meier takes them: those of at least one draft and one round. Empty where
/// the counts do not tell which rounds drafted how far.
RequestCounts kept_by_length(CounterSums const& sums);

/// [j] rounds that kept j draft tokens, by how many kept each position. Empty where rounds or positions are not
/// counted, or where positions contradict them.
std::vector<std::int64_t> kept_by_position(CounterSums const& sums);

/// What the choice of γ goes by: the first of these that is known, and none of the others.
struct KeptCounts {
  LengthCounts requests = {};  ///< of each request with a round, where there are several
  RequestCounts rows = {};     ///< of all together, by draft length
  std::vector<double> survival =
      {};                            ///< [i − 1] of the rounds that drafted an i-th token, how many kept all up to it
  std::optional<double> alpha = {};  ///< by totals of rounds of one length
  /// Which rounds drafted how far is not known of `requests` or `rows`: all count as of the longest length, so that
  /// one that drafted less than i lost draft i.
  bool at_least = false;
};
KeptCounts kept_counts(EngineCounters const& counters);

/// Tokens of steps that drafted nothing, as n-grams that find none leave them. None where there are so few that they may
/// be the prompts' first tokens, or where they are not counted.
std::optional<std::int64_t> undrafted_tokens(EngineCounters const& counters);
/// Whether rounds of known lengths follow each other along the text, as CountBrackets takes them.
bool along_text(EngineCounters const& counters, KeptCounts const& kept);

}  // namespace draftgauge
