#pragma once
#include "analysis/counters/counters.h"
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// What an engine's counters say: tokens per round, α, rates by position, the speed-up at the costs given.
Result measure_counters(Invocation const& args, EngineCounters const& counters);

}  // namespace draftgauge
