#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/texts/text_speedup.h"
#include "analysis/trees/text_trees.h"
#include "analysis/trees/tree_speedup.h"

namespace draftgauge {

/// Share of S by the mean over all tokens, within which replay decides between sizes.
inline constexpr double replayed_share = .03;

/// The most levels of a tree that is chosen by texts, where nothing else is said.
inline constexpr int standard_text_depth = 16;

/// A tree and what its rounds give along recorded texts.
struct TextTree {
  TreeShape tree;
  SizedTree sized;               ///< by replay
  TextEstimate tokens, speedup;  ///< the same with what their texts say of their errors
  Limits speedup_limits;         ///< what S can be
};
/// By replay along the texts; `sample` is of these.
TextTree text_tree(TreeShape tree, TextRanks const& ranks, std::shared_ptr<TextSample const> const& sample,
                   Costs const& costs);

/// Which sizes are replayed: those that could be the best, or every one, for a picture of them all.
enum class ReplayedSizes : std::uint8_t { near_optimal, all };

/// Which tree to draft, by texts: of each size the tree of greatest S by TextTrees, of those with S within
/// `replayed_share` (or within `share` where that is more) of the greatest the one whose S by replay is greatest (the
/// smallest of equal ones). It is valued on the texts that chose it, which flatters it: left_out_texts says by how much.
struct TextTreeChoice {
  std::vector<TextTree> sizes;           ///< replayed, by size
  std::size_t best = 0;                  ///< of these
  std::vector<GammaRange> near_optimal;  ///< sizes n that could be the best, with S ≥ (1 − share)·S* by replay
  std::vector<TextTree> chains;          ///< [γ] within the same limits
  std::size_t best_chain = 0;

  TextTree const& tree() const { return sizes[best]; }
  TextTree const& chain() const { return chains[best_chain]; }
};
/// share in [0, 1), else UsageError; nodes and depth as TextTrees has them.
TextTreeChoice choose_text_tree(TextRanks const& ranks, std::shared_ptr<TextSample const> const& sample,
                                Costs const& costs, int nodes, int depth, double share,
                                ReplayedSizes which = ReplayedSizes::near_optimal);

/// What trees that are chosen so give on texts that had no part in the choice: each part of the texts is replayed with
/// the tree that the others choose (cross-validation: Stone, J. R. Stat. Soc. B 36, 1974). As each choice knows fewer
/// texts than all, this is too low, if anything, where the chosen tree's own value is too high.
struct LeftOutTexts {
  std::size_t parts;
  double tokens, speedup;  ///< E[N] and S, pooled over the parts
};
/// Texts are dealt into as many parts as there are texts, or 20. None below two texts. Arguments as choose_text_tree
/// has them.
std::optional<LeftOutTexts> left_out_texts(TextRanks const& ranks, Costs const& costs, int nodes, int depth,
                                           double share);

}  // namespace draftgauge
