#pragma once
#include "apps/gamma/gamma_report.h"

namespace draftgauge {

/// Ways to give P(kept) by position.
inline constexpr char const* survival_options[] = {"--survival", "--conditional-rates"};

/// The best γ by one of these, or by counts of rounds by accepted drafts (accepted_lists.h). Throws UsageError and InputError.
GammaAnswer gamma_of_survival(Invocation const& args, GammaAsked const& asked);

}  // namespace draftgauge
