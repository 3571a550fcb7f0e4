#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/draft/tree_shape.h"

namespace draftgauge {

/// As TreeShape::of_parents, and the root alone where that is all.
TreeShape tree_of_parents(std::vector<int> const& parents);
/// A chain of γ ≥ 0 drafts.
TreeShape chain_tree(int gamma);

/// A tree given by each node's children in order, in whatever numbers, node 0 being the root.
struct BreadthFirst {
  TreeShape tree;
  std::vector<std::uint32_t> nodes;  ///< [tree.size()] the number that each of the tree's nodes had
};
/// Throws UsageError where the engine plays no such tree (TreeShape::of_parents).
BreadthFirst breadth_first(std::span<std::vector<std::uint32_t> const> children);

}  // namespace draftgauge
