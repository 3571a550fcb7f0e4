#pragma once
#include <string>
#include <string_view>

#include "sim/draft/tree_shape.h"

namespace draftgauge {

/// A tree as rounds are played on it: an even one, such as a chain, is told by two numbers, so that it may have more
/// nodes than a list holds, and is the same task however it was written.
struct ParsedTree {
  int gamma = 1;          ///< levels
  int branching = 1;      ///< the most children of a node
  TreeShape uneven = {};  ///< the tree, where its nodes' children differ in number; else the root alone

  bool even() const { return uneven.size() == 1; }
};

/// The tree that a text says:
///
///     chain:5            five tokens one after another
///     kary:2,3           two children below each node, three levels: --candidates 2 --gamma 3
///     levels:3,2         three children of the root, two of each of those
///     paths:3,4          three chains of four tokens
///     medusa:64          the tree that Medusa's repository ships for Vicuna 7B (mc_sim_7b_63): 63 drafts below the root
///     [-1,0,0,1,1,3]     the parent of each node, level by level
///     FILE               a JSON array of parents, or an object that has one under "parents": what `draftgauge tree` prints
///
/// Throws UsageError, which quotes the text, for what is none of these or no tree, InputError for a file that cannot
/// be read.
ParsedTree parse_tree(std::string const& text);

/// The shortest of these texts, files apart, that is read as this tree. Domain: a tree with a draft.
std::string tree_text(TreeShape const& tree);

/// What can be written, for help: one line.
inline constexpr std::string_view tree_syntax =
    "chain:5, kary:2,3 (children, levels), levels:3,2 (children by level), "
    "paths:3,4 (chains, length), medusa:64, [-1,0,0,1] (parents) or a file of them";

}  // namespace draftgauge
