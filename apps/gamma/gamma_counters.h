#pragma once
#include "analysis/counters/counters.h"
#include "apps/gamma/gamma_report.h"

namespace draftgauge {

/// The best γ by an engine's counters. Throws InputError where they do not tell how drafts are accepted by position.
Result gamma_of_counters(Invocation const& args, EngineCounters const& counters, GammaAsked const& asked);

}  // namespace draftgauge
