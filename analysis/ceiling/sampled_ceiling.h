#pragma once
#include <cstdint>

#include "analysis/stats/interval.h"
#include "sim/play/simulation.h"

namespace draftgauge {

/// A bound on what any lossless rule keeps of a round's drafts, where they are too many to enumerate.
struct SampledCeiling {
  Interval value;        ///< the ceiling is no higher, and may be lower
  std::uint64_t drafts;  ///< of which it is the mean
};

struct SampledCeilingOptions {
  std::uint64_t fitted = 1000;  ///< drafts on which prices are chosen
  std::uint64_t drafts = 20'000;
  int steps = 1000;  ///< of the descent to the prices
  double confidence = .95;
};

/// E over drafts of the greatest c(X) at some prices (analysis/ceiling/ceiling.h). They are chosen on some drafts, by
/// subgradients, and what they prove is estimated on others, so that it holds whatever prices come out. Many prefixes
/// share a price, which leaves the bound above the ceiling, of wide trees up to their depth. Drafts are those that
/// the task's trials draw first. Domain: as of task_ceiling; asymptotic in the number of drafts.
SampledCeiling sampled_ceiling(Simulation const& simulation, SampledCeilingOptions const& options = {});

}  // namespace draftgauge
