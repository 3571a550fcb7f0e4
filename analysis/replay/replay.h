#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/replay/replay_recursion.h"

namespace draftgauge {

/// Two rules replayed along text that the target wrote, exactly and without a draw.
///
/// Token rule: the draft x was accepted with a = min(1, q(x)/p(x)), whatever was emitted before; given the text x_1 …
/// x_T, acceptances at its tokens are independent of each other (sim/rules/token.h).
///
/// Block rule: P(τ ≥ i | text) = min(1, w_1, …, w_i), w_i = Π_{j≤i} q(x_j)/p(x_j) (sim/rules/block.h), never below the
/// token rule's Π min(1, q/p).
///
/// Two numbers a token, p(x) and q(x), thus give tokens per round at every γ on real, dependent contexts
/// (analysis/replay/replay_recursion.h); the text must be the target's own, drawn from the very p that is replayed. A
/// round that runs past the end counts as a whole.
///
/// shape: gamma ≥ 1, one child, else UsageError. until: only rounds that start before that token (from 0) count;
/// none, or more than T: all. The results have an entry for every token before `until`, the first being the text's.

/// accept: a_1 … a_T in [0, 1], else InputError naming the token. For drafts of argmax q, and at temperature 0, 1
/// where argmax q is the text's token and 0 elsewhere: given the text acceptance is then certain.
RoundMoments<double> token_rounds(std::span<double const> accept, RoundShape const& shape,
                                  std::optional<std::size_t> until = std::nullopt);

/// log_ratio: ln q(x_t) − ln p(x_t), −∞ where q excludes the token; NaN or +∞ is an InputError naming the token.
RoundMoments<double> block_rounds(std::span<double const> log_ratio, RoundShape const& shape,
                                  std::optional<std::size_t> until = std::nullopt);

/// k_1 … k_n: the chance that a round of the block rule which starts at the first of these tokens keeps draft i,
/// after it kept those before.
std::vector<double> kept_by_block(std::span<double const> log_ratio);

/// The number of rounds of the token rule when each token's acceptance is drawn, with the coins of (seed, run): a
/// sample of what token_rounds gives the mean and variance of. One coin a token, as no token is drafted twice in
/// rounds that emit one text, so that the γ share them.
class CoinRun {
 public:
  CoinRun(std::span<double const> accept, std::uint64_t seed, std::uint64_t run);
  std::size_t rounds(RoundShape const& shape) const;
  /// [T] whether the draft at each token is accepted, if one is made there.
  std::span<std::uint8_t const> accepted() const { return accepted_; }
  /// The rounds themselves: the token, from 0, at which each starts. The next one's start, or T, is where it ends.
  std::vector<std::size_t> starts(RoundShape const& shape) const;

 private:
  void for_each_round(RoundShape const& shape, auto const& begins) const;

  std::vector<std::uint8_t> accepted_;
};

}  // namespace draftgauge
