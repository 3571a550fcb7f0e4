#pragma once
#include "apps/gamma_report.h"

namespace draftgauge {

/// --alpha: one number, a list of them (with a list of costs the map over both), or an interval a..b (the γ of least
/// worst regret). Throws UsageError and InputError.
Result gamma_of_alpha(Invocation const& args, GammaAsked const& asked);

}  // namespace draftgauge
