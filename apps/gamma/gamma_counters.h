#pragma once
#include "analysis/counters/counters.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

namespace draftgauge {

/// The best γ by an engine's counters. Throws InputError where they do not tell how drafts are accepted by position.
GammaAnswer gamma_of_counters(Invocation const& args, EngineCounters const& counters, GammaAsked const& asked);

/// The same at costs as options say them; none in that case.
std::optional<GammaAnswer> gamma_where_known(EngineCounters const& counters, PricedRound const& priced,
                                             GammaAsked const& asked);

}  // namespace draftgauge
