#pragma once
#include "apps/gamma_report.h"

namespace draftgauge {

/// --survival, --rates, or counts of --accepted. Throws UsageError and InputError.
Result gamma_of_survival(Invocation const& args, GammaAsked const& asked);

}  // namespace draftgauge
