#pragma once
#include "apps/gamma_report.h"

namespace draftgauge {

/// Ways to give P(kept) by position.
inline constexpr char const* survival_options[] = {"--survival", "--cumulative-rates", "--conditional-rates",
                                                   "--rates"};

/// One of these, or counts of --accepted. Throws UsageError and InputError.
Result gamma_of_survival(Invocation const& args, GammaAsked const& asked);

}  // namespace draftgauge
