#pragma once
#include <vector>

#include "analysis/texts/request_counts.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

namespace draftgauge {

/// Ways to give P(kept) by position.
inline constexpr char const* survival_options[] = {"--survival", "--cumulative-rates", "--conditional-rates",
                                                   "--rates"};

/// One of these, or counts of --accepted. Throws UsageError and InputError.
Result gamma_of_survival(Invocation const& args, GammaAsked const& asked);

/// Histograms of rounds by kept drafts, as kaplan_meier takes them, whose rounds are taken to be independent.
Result gamma_of_histograms(RequestCounts const& rows, PricedRound const& round, GammaAsked const& asked);
/// P(the first i drafts are kept), as said.
Result gamma_of_curve(std::vector<double> survival, PricedRound const& round, GammaAsked const& asked);
/// α^i for i = 1 … `most`, and the same at both ends of α's interval, where it has one. S at each γ grows with α, and so does the
/// best γ, whatever rounds cost, as E[N] at a longer draft over that at a shorter one does: ends of α are ends of both.
/// rounds: that α was counted of.
Result gamma_of_independent(double alpha, std::optional<Interval> const& within, std::uint64_t rounds, int most,
                            PricedRound const& round, GammaAsked const& asked);

}  // namespace draftgauge
