#pragma once
#include <span>
#include <vector>

#include "sim/round.h"

namespace draftgauge {

/// The token rule replayed along text that the target wrote, exactly and without a draw.
///
/// In a context with the laws p and q the rule drafts x and accepts it with probability q(x)·min(1, p(x)/q(x)) =
/// min(p(x), q(x)), and emits x, drafted or not, with probability p(x) (Leviathan et al. 2023, arXiv 2211.17192,
/// Appendix A.1). So of the rounds that emit x at a position that they reach with a draft, the share
///
///     a = min(1, q(x) / p(x))
///
/// accepted it, whatever was emitted before: given the text x_1 … x_T, acceptances at its tokens are independent of
/// each other, and the expected number of rounds that emit the text from token t on is
///
///     R(t) = 1 + Σ_{i=1..γ} a_t ⋯ a_{t+i−2} (1 − a_{t+i−1}) R(t+i) + a_t ⋯ a_{t+γ−1} R(t+γ+1),
///     R(t) = 0 for t > T,
///
/// with R(t+γ) in the last term without the bonus token. A round that runs past the end counts as a whole. Two
/// numbers a token, p(x) and q(x), give tokens per round at every γ on real, dependent contexts; the text must be the
/// target's own, drawn from the very p that is replayed.

/// R(1) … R(T): entry t − 1 is the expected number of rounds from token t on, so that the first is that of the text.
/// accept: a_1 … a_T in [0, 1], else UsageError naming the token. shape: gamma ≥ 1, one candidate, else UsageError.
/// Time O(T·γ).
std::vector<double> replayed_rounds(std::span<double const> accept, RoundShape const& shape);

/// Several texts taken together.
struct Replayed {
  double tokens = 0;  ///< ΣT
  double rounds = 0;  ///< ΣR(1)

  /// ΣT / ΣR(1). Domain: at least one token.
  double tokens_per_round() const { return tokens / rounds; }
};
Replayed replay(std::span<std::vector<double> const> texts, RoundShape const& shape);

}  // namespace draftgauge
