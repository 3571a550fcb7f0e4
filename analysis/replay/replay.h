#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/replay/replay_recursion.h"

namespace draftgauge {

/// Rounds replayed along text that the target wrote, exactly and without a draw, where each token's draft is kept with
/// a chance of its own, whatever was emitted before: of the token rule a = min(1, q(x)/p(x)) (sim/rules/token.h). Given
/// the text x_1 … x_T, acceptances at its tokens are then independent of each other. So two numbers a token, p(x) and
/// q(x), give tokens per round at every γ on real, dependent contexts (analysis/replay/replay_recursion.h); the text
/// must be the target's own, drawn from the very p that is replayed. A round that runs past the end counts as a whole.
///
/// accept: a_1 … a_T in [0, 1], else InputError naming the token. For drafts of argmax q, and at temperature 0, 1
/// where argmax q is the text's token and 0 elsewhere: given the text acceptance is then certain.
///
/// shape: gamma ≥ 1, one child, else UsageError. until: only rounds that start before that token (from 0) count;
/// none, or more than T: all. The results have an entry for every token before `until`, the first being the text's.
RoundMoments<double> token_rounds(std::span<double const> accept, RoundShape const& shape,
                                  std::optional<std::size_t> until = std::nullopt);

/// One draft a position and γ ≥ 1, else UsageError.
void require_one_draft(RoundShape const& shape);

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
