#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/counters/draft_standing.h"

namespace draftgauge {

/// What the choice of γ by these counters takes for granted, of one draft as of several.
std::vector<std::string> choice_caveats(EngineCounters const& counters);

/// Of tokens of steps that drafted nothing, as n-grams that find none leave them.
struct Undrafted {
  std::string words;              ///< that E[N] and S are of the rounds with drafts
  std::optional<double> speedup;  ///< over all tokens, each other one a plain step; none of plain decoding
};
/// At this γ, of this S. None where all are drafted, or the others may be the prompts'.
std::optional<Undrafted> undrafted_caveat(EngineCounters const& counters, std::int64_t gamma, double speedup);

/// What must be said before the best γ of a draft that stands beside others; empty where nothing must.
std::vector<std::string> standing_caveats(CountedChoice::Standing const& standing);

}  // namespace draftgauge
