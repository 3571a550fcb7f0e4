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
  RequestCounts rows;           ///< histograms; empty: none
  bool by_request = false;      ///< a row is one request, and there are several
  bool lengths_pooled = false;  ///< requests are known, but some of them drafted by several lengths
};
KeptCounts kept_counts(EngineCounters const& counters);

}  // namespace draftgauge
