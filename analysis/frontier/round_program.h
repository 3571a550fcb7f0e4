#pragma once
#include <cstdint>
#include <optional>

#include "analysis/exact/exact.h"

namespace draftgauge {

/// The most drafts that any rule keeps of a round of γ, in the mean, whose text (continued by the target) has a total
/// variation of at most ε from the target's in its first `length` tokens.
///
/// Let R(v) be the probability that the round accepts the drafts v, and e(v, y) that it stops behind them and emits y.
/// Then R(v) ≤ Q(v), R(v) = Σ_y R(vy) + Σ_y e(v, y), and these suffice: what stops at v goes to the drafts that begin with
/// v, which is possible where no subtree is asked for more than it drafts. E[τ] = Σ R is linear, and so is the constraint
/// on the text (own result; at ε = 0 block verification has the optimum).
struct RoundFrontier {
  Rational mean_accepted;  ///< E[τ]; prices prove that no rule is above
  bool attained;           ///< and a rule is there
};

/// Throws NotEnumerable for a program of more rows, one for each text and each prefix that may be drafted. Domain: contexts that follow from the text, γ ≥ 1, length ≥ 1.
RoundFrontier round_frontier(ExactModel const& model, int gamma, Rational const& distance, int length,
                             std::uint32_t start = 0, std::uint32_t most_rows = 2000);

/// Σ_{i ≤ γ} min(1, β_i + ε) where β_i = Σ min(P, Q) over texts of i tokens: never below round_frontier of γ tokens and
/// more, since R(v) is at most Q(v), and at most what the text is. None where contexts are drawn at random.
std::optional<Rational> round_bound(ExactModel const& model, int gamma, Rational const& distance,
                                    std::uint32_t start = 0);

}  // namespace draftgauge
