#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace draftgauge {

/// What a round costs, in units of one plain step of the target.
struct Costs {
  double draft = 0;                       ///< c: a step of the draft
  std::map<std::int64_t, double> verify;  ///< v(n) = T(n)/T(1), n tokens in one pass; empty: v = 1 for every n
  double overhead = 0;                    ///< o: whatever a round costs beside passes
  int extra_draft_passes = 0;  ///< passes of the draft in a round beside its γ: engines that run the draft again

  /// v(n): measured, else interpolated linearly between neighbours and, above the largest n, extended at the slope of
  /// the last two. Domain: n ≥ 1.
  double verify_pass(std::int64_t n) const;
  /// (γ + extra)·c + v(γ + 1) + o.
  double of_round(std::int64_t gamma) const;
};

}  // namespace draftgauge
