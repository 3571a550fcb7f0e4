#pragma once
#include <cstdint>
#include <optional>

#include "analysis/choose/counted_gamma.h"
#include "analysis/counters/estimates.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// How far Eq. (1) is taken where nobody says.
inline constexpr int longest_assumed = 16;

/// What drafts of γ = 0, 1, … tokens would give by an engine's counters at these costs: replayed where the rounds of each
/// request are listed in their order (ordered_counts), else as kept_counts has them.
/// Draws are of requests, spread as Student's t is (student_draws), or from the posterior of the rates by position, or
/// by totals of that of rounds that kept all of their drafts or none. Empty where nothing says how far off they are.
struct CountedCurve : CountedGamma {
  CountedOver over = CountedOver::nothing;
  std::optional<std::uint64_t> rounds = {};  ///< that it was counted of; none where shares alone are known
  std::optional<std::size_t> requests = {};  ///< that it was counted of, where intervals are over these
  bool at_least = false;                     ///< as KeptCounts has it
  bool by_alpha = false;                     ///< every γ follows from α by Eq. (1)
  bool replayed = false;                     ///< rounds in their order, which may be replayed with longer drafts
  /// Whether rounds, as far as they are known, are enough to say anything, the best γ ran, and draws tell how far off S
  /// is: of requests that all agree they do not.
  bool decides() const;
};

/// None where the counters do not say what other lengths than theirs would give.
std::optional<CountedCurve> counted_curve(EngineCounters const& counters, Costs const& costs,
                                          CountedAsked const& asked);

}  // namespace draftgauge
