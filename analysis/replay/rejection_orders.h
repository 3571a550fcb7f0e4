#pragma once
#include <cstddef>
#include <vector>

#include "analysis/stats/token_coin.h"
#include "analysis/theory/ranked_pair.h"

namespace draftgauge {

/// Recursive rejection of drafts without replacement (sim/rules/recursive.h) before one of them is tested, all before
/// it being rejected: the residual is (p − taken·w)₊/left and the next draft is drawn from w/mass off those that are
/// drawn. w is q; once nothing of q is left, 1 for each token that q excludes. At a node of score s < 1 of traversal
/// verification (sim/rules/traversal.h) s·p stands for p, and 1 − s is part of what is left.
struct RejectionState {
  double score = 1;
  double weight = 1;  ///< how likely those before are rejected, where they were drawn as they were
  double taken = 0, left = 1, mass = 1;
  double next_left = 0;  ///< 1 − s + Σ(s·p − next·w)₊ after one more rejection
  bool rest = false;     ///< nothing of q is left

  /// The chance that the next draft is accepted, whatever it is.
  double accepts() const { return 1 - next_left / left; }
  /// The chance that it is a token of these probabilities, and accepted. A token that was rejected has no residual.
  double accepts(double p, double q) const;
  /// The chance that it is accepted, given that it is a token of these probabilities: the score of its node.
  double score_of(double p, double q) const;

 private:
  double weight_of(double q) const { return rest ? (q > 0 ? 0. : 1.) : q; }
};

/// The orders in which children without replacement are drawn, sampled: the sums over them that are too long otherwise
/// (analysis/theory/draft_orders.h). Tokens are drawn as the drafter draws them, and a rejection enters by its
/// probability, so that means of weight times what happens at a rank are unbiased.
class RejectionOrders {
 public:
  /// `laws` must live as long.
  explicit RejectionOrders(RankedPair<double> const& tables);

  /// Calls visit(rank, state) for rank 1, 2, … k, as long as a rejection is possible. score in (0, 1].
  template <class Visit>
  void play(TokenCoins& coins, int k, Visit const& visit, double score = 1) const {
    RejectionState state{.score = score};
    std::vector<std::size_t> drawn;
    for (int rank = 1; rank <= k; ++rank) {
      if (!next(state, drawn)) return;
      visit(rank, state);
      if (rank < k) reject(state, drawn, coins.next());
    }
  }

 private:
  /// Whether a draft is still to be tested: the weights of it.
  bool next(RejectionState& state, std::vector<std::size_t>& drawn) const;
  /// Draws a token by a uniform number and weighs its rejection.
  void reject(RejectionState& state, std::vector<std::size_t>& drawn, double uniform) const;
  double above(RejectionState const& state, double taken) const;

  RankedPair<double> const& tables_;
};

}  // namespace draftgauge
