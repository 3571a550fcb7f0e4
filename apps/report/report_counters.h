#pragma once
#include "analysis/counters/counters.h"
#include "apps/report/report_summary.h"

namespace draftgauge {

/// What a page says of an engine's counters. Throws as gamma_of_counters does.
ReportSubject report_of_counters(Invocation const& args, EngineCounters const& counters, GammaAsked const& asked);

}  // namespace draftgauge
