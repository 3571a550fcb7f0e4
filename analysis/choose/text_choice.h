#pragma once
#include <cstddef>
#include <vector>

#include "analysis/choose/text_trees.h"
#include "analysis/choose/tree_speedup.h"
#include "analysis/texts/text_speedup.h"

namespace draftgauge {

/// Share of S by the mean over all tokens, within which replay decides between sizes.
inline constexpr double replayed_share = .03;

/// The most levels of a tree that is chosen by texts, where nothing else is said.
inline constexpr int standard_text_depth = 16;

/// A tree and what its rounds give along recorded texts.
struct TextTree {
  TreeShape tree;
  double worth;  ///< 1 + Σ of what its nodes are worth (TextTrees), of which it is the heaviest tree of its size
  TextEstimate tokens, speedup;  ///< by replay
  double time;                   ///< of a round, in plain steps of the target
  Limits speedup_limits;         ///< what S can be
};

/// Which tree to draft, by texts: of each size the tree of greatest S by TextTrees, of those with S ≥ (1 − within)·S*
/// the one whose S by replay is greatest (the smallest of equal ones). It is chosen by the texts that it is then
/// valued on, so that its value leans upwards, the more the fewer the texts.
struct TextTreeChoice {
  TreeChoice by_worth;
  std::vector<TextTree> near_optimal;  ///< by size
  std::size_t best = 0;                ///< of these
  TextTree chain;                      ///< the best chain within the same limits, by replay
};
TextTreeChoice choose_text_tree(TextRanks const& ranks, std::shared_ptr<TextSample const> const& sample,
                                Costs const& costs, int nodes, int depth, double within);

}  // namespace draftgauge
