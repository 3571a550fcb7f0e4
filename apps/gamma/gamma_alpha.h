#pragma once
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

namespace draftgauge {

/// --alpha: one number, a list of them (with a list of costs the map over both), or an interval a..b (the γ of least
/// worst regret). Throws UsageError and InputError.
GammaAnswer gamma_of_alpha(Invocation const& args, GammaAsked const& asked);

/// Of one α at one cost.
GammaAnswer gamma_of_setting(double alpha, PricedRound const& round, GammaAsked const& asked);
/// The best among γ = 0 … most; among all where that is none.
BestGamma best_of(IidRounds const& rounds, std::optional<int> most);
/// Which γ are near the best, by `asked`.
std::vector<GammaRange> near_of(IidRounds const& rounds, GammaAsked const& asked);

}  // namespace draftgauge
