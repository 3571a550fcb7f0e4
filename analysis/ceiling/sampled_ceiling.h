#pragma once
#include <cstdint>
#include <vector>

#include "analysis/interval.h"
#include "sim/task.h"

namespace draftgauge {

/// A price on every prefix of a depth whose last token's p/q is in a range, or that is one token after one row.
struct PriceClass {
  int depth;
  double least, most;  ///< of p/q; infinite where q is 0
  double price;
};

/// A bound on what any lossless rule keeps of a round's drafts, where they are too many to enumerate.
struct SampledCeiling {
  Interval
      value;  ///< E over drafts of the greatest c(X) at the prices: the ceiling is no higher (analysis/ceiling/ceiling.h)
  std::uint64_t drafts;          ///< of which it is the mean
  std::vector<PriceClass> dual;  ///< those above 0
};

struct SampledCeilingOptions {
  std::uint64_t fitted = 1000;  ///< drafts on which prices are chosen
  std::uint64_t drafts = 20'000;
  int steps = 1000;  ///< of the descent to the prices
  double confidence = .95;
};

/// Prices are chosen on some drafts, by subgradients, and the bound that they prove is estimated on others, so that it holds
/// for whatever prices come out: classes of prefixes share a price, which makes it no lower than the ceiling and may leave it above. Drafts are
/// those that the task's trials draw first. Domain: as of task_ceiling; asymptotic in the number of drafts.
SampledCeiling sampled_ceiling(Simulation const& simulation, SampledCeilingOptions const& options = {});

}  // namespace draftgauge
