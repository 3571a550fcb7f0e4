#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/choose/counted_gamma.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

/// What `gamma` says of drafts whose survival was counted, or is said (analysis/choose/counted_gamma.h).
namespace draftgauge {

/// What must be said before an answer by counts, as a sentence; or empty. choice: none where no γ is best.
std::string counts_caveat(std::optional<std::uint64_t> rounds, CountedGamma const* choice);
/// `answer` behind that.
std::string led_by_counts(std::string const& caveat, std::string const& answer);

/// What γ other than the one that ran go by, and how far off they may be. by_alpha: they are of Eq. (1).
std::vector<std::string> truncated_notes(CountedGamma const& choice, bool by_alpha);

/// Puts a choice by counts into the answer and its document, whichever way they say E[N]. near: near_best of it. The
/// confidence set, empty where there is none.
std::vector<GammaRange> add_choice(GammaAnswer& answer, CountedGamma const& choice, std::span<GammaRange const> near,
                                   GammaAsked const& asked);
/// None where plain decoding is best.
GammaYield const* yield_of_best(CountedGamma const& choice);

/// Histograms of rounds by kept drafts, whose rounds are taken to be independent.
GammaAnswer gamma_of_histograms(RequestCounts const& rows, PricedRound const& round, GammaAsked const& asked);
/// Counts of each request, and how dependent the rounds of one are.
GammaAnswer gamma_of_requests(LengthCounts const& requests, PricedRound const& round, GammaAsked const& asked);
/// P(the first i drafts are kept), as said, or as counted of rounds that drafted up to `ran`.
GammaAnswer gamma_of_curve(std::vector<double> survival, PricedRound const& round, GammaAsked const& asked,
                           std::optional<std::size_t> ran = {});
/// Independent drafts of an α that was counted of so many rounds of `ran` drafts.
GammaAnswer gamma_of_independent(double alpha, std::optional<Interval> const& within, std::uint64_t rounds,
                                 std::size_t ran, int most, PricedRound const& round, GammaAsked const& asked);

}  // namespace draftgauge
