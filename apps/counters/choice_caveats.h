#pragma once
#include <string>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/counters/draft_standing.h"

namespace draftgauge {

/// What the choice of γ by these counters takes for granted, of one draft as of several.
std::vector<std::string> choice_caveats(EngineCounters const& counters);

/// What must be said before the best γ of a draft that stands beside others; empty where nothing must.
std::vector<std::string> standing_caveats(CountedChoice::Standing const& standing);

}  // namespace draftgauge
