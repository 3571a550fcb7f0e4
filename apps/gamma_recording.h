#pragma once
#include "apps/gamma_report.h"

namespace draftgauge {

/// Each γ by replay along the texts of every recording that FILE… names. Throws UsageError and InputError.
Result gamma_of_recordings(Invocation const& args, GammaAsked const& asked);

}  // namespace draftgauge
