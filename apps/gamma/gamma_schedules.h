#pragma once
#include "analysis/counters/counters.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/load_options.h"

namespace draftgauge {

/// --schedule and --estimates.
OptionGroup gamma_schedule_options();

/// `gamma --schedule`: what schedules of verification gain over the best fixed length at each batch size, or at
/// --concurrency. `asked`: what says what is accepted. counters: where that are an engine's rounds.
Result gamma_of_schedules(Invocation const& args, std::string_view asked, Load const& load, GammaAsked const& how,
                          EngineCounters const* counters);

}  // namespace draftgauge
