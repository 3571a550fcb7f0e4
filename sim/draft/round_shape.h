#pragma once
#include <cstdint>

#include "sim/draft/children.h"
#include "sim/draft/tree_view.h"

namespace draftgauge {

/// What is drafted in a round, and whether a full acceptance earns one token more.
struct RoundShape {
  int gamma = 5;       ///< positions drafted, 1…max_gamma; the most of them where a policy may stop earlier
  int branching = 1;   ///< tokens drafted per position, 1…max_children; with γ > 1 they span a k-ary tree
  bool bonus = true;   ///< emit a token from p below the last accepted draft, as Leviathan's Algorithm 1 does
  TreeView tree = {};  ///< the nodes of another tree, of depth γ and with at most `branching` children below a node
  bool continues =
      false;  ///< free continuation: a token that is emitted where the tree holds it is accepted as a draft

  /// The children of a node that has so many drafts above it.
  DRAFTGAUGE_HD TreeNode children(std::uint32_t node, int depth) const {
    if (tree.listed()) return tree.nodes[node];
    return depth < gamma ? below(node) : TreeNode{};
  }
  /// The children of a node of a k-ary tree, whose last level has none.
  DRAFTGAUGE_HD TreeNode below(std::uint32_t node) const {
    return {node * static_cast<std::uint32_t>(branching) + 1, static_cast<std::uint32_t>(branching)};
  }

  DRAFTGAUGE_HD bool is_chain() const { return branching == 1 && !tree.listed(); }

  /// Whether a node has so many children. Domain: count ≥ 1.
  bool has_node_with(int count) const {
    if (!tree.listed()) return count == branching;
    for (std::uint32_t node = 0; node < tree.count; ++node)
      if (tree.nodes[node].count == static_cast<std::uint32_t>(count)) return true;
    return false;
  }

  friend bool operator==(RoundShape const&, RoundShape const&) = default;
};

/// The shape of a chain, of which less has to be asked.
struct ChainShape : RoundShape {
  DRAFTGAUGE_HD explicit ChainShape(RoundShape const& shape) : RoundShape(shape) {}

  DRAFTGAUGE_HD TreeNode children(std::uint32_t node, int depth) const {
    return depth < gamma ? TreeNode{node + 1, 1} : TreeNode{};
  }
};

/// Nodes in `levels` levels of a tree, the root being the first: 1 + k + k² + …; 0 where they are more than 2^32,
/// which have no numbers of their own (sim/chance/layout.h).
DRAFTGAUGE_HD inline std::uint64_t tree_nodes(int branching, int levels) {
  if (branching == 1) return static_cast<std::uint64_t>(levels);
  std::uint64_t sum = 0, level = 1;
  for (int i = 0; i < levels; ++i) {
    sum += level;
    if (sum > std::uint64_t{1} << 32) return 0;
    level *= static_cast<std::uint64_t>(branching);
  }
  return sum;
}

/// The nodes of a round's tree, with its root; 0 where they are more than 2^32.
DRAFTGAUGE_HD inline std::uint64_t nodes_of(RoundShape const& shape) {
  return shape.tree.listed() ? shape.tree.count : tree_nodes(shape.branching, shape.gamma + 1);
}

/// How many nodes of a tree count the rounds that accept them: all, where a list can hold them. Else, and of a chain,
/// whose counts are those of τ ≥ i, 0.
inline std::uint32_t counted_nodes(RoundShape const& shape) {
  std::uint64_t const nodes = nodes_of(shape);
  return shape.branching > 1 && nodes <= max_tree_nodes ? static_cast<std::uint32_t>(nodes) : 0;
}

}  // namespace draftgauge
