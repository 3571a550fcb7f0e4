#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "analysis/stats/token_coin.h"
#include "analysis/theory/ranked_pair.h"
#include "sim/chance/chance.h"
#include "sim/draft/tree_shape.h"

namespace draftgauge {

/// What a round does that starts where a text goes on with x_1 x_2 …, given that text. Where the text ends within the
/// tree nothing is known below, and the round stops there.
struct TreeRound {
  std::vector<double> alive;   ///< [depth + 1] P(it accepts at least i drafts | text); the first is 1
  std::vector<double> passed;  ///< [nodes] P(the accepted path passes v | text); empty where the rule names no node
};

/// Of rules that go from a node to its r-th child with probability a_r given the text, whatever else the tree holds
/// (analysis/trees/text_ranks.h). a: [tokens · ranks], those of x_1 first; nodes have at most `ranks` children.
TreeRound walk_by_rank(TreeShape const& tree, std::span<double const> a, std::size_t ranks);

/// The distributions before a token of the text, and what they give it.
struct WalkRow {
  std::shared_ptr<RankedPair<double> const> tables;
  double p, q;  ///< of x; p > 0
};

/// Traversal (sim/rules/traversal.h) of independent drafts, rows[i] being that of x_{i+1}. A node with score s is the
/// stop, or has it below, with probability s, whatever its drafts; child j is visited with u_j·q(x), where c_1 = 0,
/// u_1 = 1, c_{j+1} = c_j + u_j, u_j = 1 − s + Σ(s·p − c_j·q)₊, and has the score s_x = min(1, (s·p(x) −
/// c_j·q(x))₊/(u_j·q(x))). So given the text the walk goes there with u_j·q(x)·s_x/(s·p(x)). O(nodes · log V).
TreeRound walk_traversal(TreeShape const& tree, std::span<WalkRow const> rows);
/// The same of drafts without replacement. u and the score then depend on which siblings were rejected: these are
/// sampled, as is the score of a later sibling whose own children are visited. `passed` is unbiased, and exact on a
/// chain.
TreeRound walk_traversal_without(TreeShape const& tree, std::span<WalkRow const> rows, TokenCoins coins);

/// A token for greedy multi-path block verification.
struct PathToken {
  double log_ratio;  ///< ln q − ln p
  double q;
  double lower;  ///< q of all tokens that the order of paths has behind it (sim/rules/gbv.h)
};
/// Σ q(y) over the y that the order has behind x: of lower p/q, of equal ones of smaller p, of such of greater
/// number. O(V).
double lower_q(std::span<double const> p, std::span<double const> q, Token x);

/// GBV of so many paths (arXiv 2602.16961), and of one path block verification (arXiv 2403.10444), which needs no
/// `lower`: P(τ ≥ i | text) = min(1, w_1, …, w_i) with w_i = Π q^Γ(x_j)/p(x_j), and that product of q^Γ telescopes to
/// (A + Q)^K − A^K, Q the probability that a path begins with x_1 … x_i and A that it stands behind. Which path it
/// was is not told.
TreeRound walk_best_path(int paths, int depth, std::span<PathToken const> tokens);

/// The target's own text followed in a tree of independent drafts, equal siblings as one (sim/rules/target_walk.h):
/// given the text, each node whose parent spells it does so with q(x). Which of equal ones is the stop is not told.
/// O(nodes · depth).
TreeRound walk_trie(TreeShape const& tree, std::span<double const> q);

}  // namespace draftgauge
