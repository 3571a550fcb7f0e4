#pragma once
#include <optional>
#include <span>
#include <vector>

#include "analysis/theory/cost.h"
#include "analysis/theory/optimum.h"
#include "analysis/trees/sequoia.h"

namespace draftgauge {

/// A tree by its size, and what its rounds give.
struct SizedTree {
  int nodes = 1;  ///< with the root; 1: plain decoding
  int depth = 0;
  double tokens = 1;   ///< E[N] of a round
  double time = 1;     ///< of a round (Costs::of_tree), in plain steps of the target; of plain decoding 1
  double speedup = 1;  ///< S = tokens/time
};
SizedTree priced_tree(int nodes, int depth, double tokens, Costs const& costs);

/// Which tree to draft, where that of n nodes with d levels emits F(n, d) tokens and costs d steps of the draft and
/// one pass of the target over n tokens:
///
///     S(n, d) = F(n, d) / (d·c + v(n) + o)
///
/// (Sequoia, arXiv 2402.12374, Section 3.3; its code counts the root as a level, one step of the draft too many.)
struct TreeChoice {
  std::vector<SizedTree> sizes;          ///< [n − 1] the best depth of each size, the least of equal ones
  std::size_t best = 0;                  ///< the smallest size within a relative 1e-12 of the greatest S
  std::vector<GammaRange> near_optimal;  ///< sizes n with S ≥ (1 − share)·S*
  SizedTree chain;                       ///< the best chain within the same limits; γ = chain.depth

  SizedTree const& tree() const { return sizes[best]; }
};

/// sizes: [n − 1] the best tree of each; chains: [γ] E[N] of the chain of γ tokens, from γ = 0 on, of at most as many
/// nodes. share in [0, 1), else UsageError.
TreeChoice choose_tree(std::vector<SizedTree> sizes, std::span<double const> chains, Costs const& costs,
                       double share);
TreeChoice choose_tree(SequoiaTable const& table, Costs const& costs, double share);

/// The same of any trees: tokens(n, d), none where there is no such tree; d = 0 … depth.
template <class Tokens>
std::vector<SizedTree> best_by_size(int nodes, int depth, Costs const& costs, Tokens const& tokens) {
  std::vector<SizedTree> sizes;
  for (int n = 1; n <= nodes; ++n) {
    std::optional<SizedTree> best;
    for (int d = n == 1 ? 0 : 1; d <= (n == 1 ? 0 : depth); ++d) {
      std::optional<double> const emitted = tokens(n, d);
      if (!emitted) continue;
      SizedTree const tree = priced_tree(n, d, *emitted, costs);
      if (!best || tree.speedup > best->speedup * (1 + speedup_tie)) best = tree;
    }
    if (!best) break;
    sizes.push_back(*best);
  }
  return sizes;
}

}  // namespace draftgauge
