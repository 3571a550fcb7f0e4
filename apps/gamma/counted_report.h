#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/choose/counted_gamma.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

/// What `gamma` says of drafts whose survival was counted, or is said (analysis/choose/counted_gamma.h).
namespace draftgauge {

/// What must be said before an answer by counts, as a sentence; or empty. best: γ; speedup: its interval; intervals:
/// whether there is one where units differ.
std::string counts_caveat(std::optional<std::uint64_t> rounds, std::int64_t best,
                          std::optional<Interval> const& speedup, bool intervals);
/// `answer` behind that. best: none where no γ is.
std::string led_by_size(std::string const& answer, std::optional<std::uint64_t> rounds, GammaRow const* best,
                        bool intervals);

/// Histograms of rounds by kept drafts, whose rounds are taken to be independent.
GammaAnswer gamma_of_histograms(RequestCounts const& rows, PricedRound const& round, GammaAsked const& asked);
/// Counts of each request, and how dependent the rounds of one are.
GammaAnswer gamma_of_requests(LengthCounts const& requests, PricedRound const& round, GammaAsked const& asked);
/// P(the first i drafts are kept), as said.
GammaAnswer gamma_of_curve(std::vector<double> survival, PricedRound const& round, GammaAsked const& asked);
/// Independent drafts of an α that was counted of so many rounds.
GammaAnswer gamma_of_independent(double alpha, std::optional<Interval> const& within, std::uint64_t rounds, int most,
                                 PricedRound const& round, GammaAsked const& asked);

}  // namespace draftgauge
