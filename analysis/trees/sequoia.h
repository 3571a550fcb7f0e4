#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/draft/tree_shape.h"

namespace draftgauge {

/// The tree of each size and depth whose rounds emit the most tokens, by dynamic programming (Sequoia, Chen et al.
/// 2024, arXiv 2402.12374, Section 3.1 and Appendix C): a node whose ancestors and itself are the r_1-th, r_2-th, …
/// of their siblings is accepted with probability Π P_r, and a round emits
///
///     F(T) = Σ_{v ∈ T} Π_{ancestors and v} P_rank
///
/// tokens, the root's 1 being the token that the target adds. Exact where contexts are independent and the rule tests
/// children as `rank_acceptance` has it. Without a limit of depth,
///
///     F[n, b] = max_m F[n − m, b − 1] + P_b · max_j F[m, j],     F[1, 0] = 1
///
/// for n nodes and b children of the root; with one the b-th child's subtree is of one level less.
class SequoiaTable {
 public:
  /// ranks: P_1 … P_B in [0, 1], 1 ≤ B ≤ max_children, summing to 1 at most (but for rounding). nodes: the most, the
  /// root among them, 1 … max_tree_nodes. depth: the most levels of drafts, at most max_gamma, which is what no limit
  /// means. Else UsageError. Time O(depth·B·nodes²); ends before where more depth gains nothing at any size.
  SequoiaTable(std::span<double const> ranks, int nodes, std::optional<int> depth = {});

  int nodes() const { return nodes_; }
  /// The depth from which on no tree of these sizes gains, or the limit.
  int depth() const { return static_cast<int>(levels_.size()) - 1; }
  int depth_limit() const { return limit_; }
  std::vector<double> const& ranks() const { return ranks_; }

  /// max F(T) over trees of exactly n nodes and at most d levels of drafts, 1 ≤ n ≤ nodes(), 0 ≤ d ≤ depth(). None
  /// where there is no such tree.
  std::optional<double> tokens(int n, int d) const;
  /// The tree that has it; of several one with the fewest children at the root, and so on. Domain: there is one.
  TreeShape tree(int n, int d) const;

 private:
  struct Level {
    std::vector<std::vector<double>> with;  ///< [b][n] exactly b children of the root
    std::vector<double> best;               ///< [n]
    std::size_t largest = 1;                ///< nodes of the largest tree
  };
  Level below(Level const& next) const;
  std::size_t children(std::size_t n, std::size_t d) const;

  std::vector<double> ranks_;
  int nodes_, limit_;
  std::vector<Level> levels_;  ///< [d]
};

/// Throws UsageError unless these are probabilities that one of 1 … max_children siblings is accepted.
void check_ranks(std::span<double const> ranks);

/// P(the accepted path passes v) of each node, Π P_rank, where contexts are independent; the root's is 1. Their sum
/// is F. Ranks beyond `ranks` are never accepted.
std::vector<double> reach_by_rank(TreeShape const& tree, std::span<double const> ranks);

}  // namespace draftgauge
