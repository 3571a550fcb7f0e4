#pragma once
#include <cstdint>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/texts/request_counts.h"

namespace draftgauge {

/// The histograms by draft length, as kaplan_meier takes them: those of at least one draft and one round. Empty where
/// the counts do not tell which rounds drafted how far.
RequestCounts kept_by_length(CounterSums const& sums);

/// [j] rounds that kept j draft tokens, by how many kept each position. Empty where rounds or positions are not counted, or where
/// positions contradict them.
std::vector<std::int64_t> kept_by_position(CounterSums const& sums);

/// What the choice of γ can go by.
struct KeptCounts {
  LengthCounts requests = {};  ///< of each request with a round, where there are several; empty: not known
  /// Which rounds drafted how far is not known of `requests`: all count as of the longest length, so that one that drafted
  /// less than i lost draft i.
  bool at_least = false;
  RequestCounts rows = {};  ///< of all together, by draft length; empty: not known
};
KeptCounts kept_counts(EngineCounters const& counters);

}  // namespace draftgauge
