#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/draft/tree_view.h"

namespace draftgauge {

/// Throws UsageError, which begins with `name`, for more than max_tree_nodes.
void check_tree_size(std::size_t nodes, std::string const& name);

/// A tree of drafts: node 0 is the text's end, every other node a draft token. Nodes are numbered level by level,
/// siblings side by side, so that a list of parents says it all: parent[0] = −1, and the others do not decrease.
class TreeShape {
 public:
  TreeShape() = default;  ///< the root alone

  /// Throws UsageError, which begins with `name`, where the list is no tree in this order, or one of more than
  /// max_tree_nodes nodes, max_children children or max_gamma levels.
  static TreeShape of_parents(std::vector<int> const& parents, std::string const& name = "a tree");
  /// children[d] of them below every node of depth d: (3, 2) has 3 drafts, and 2 below each. Throws as of_parents does.
  static TreeShape of_levels(std::vector<int> const& children, std::string const& name = "a tree");
  /// `paths` chains of `length` that part at the root.
  static TreeShape of_paths(int paths, int length, std::string const& name = "a tree");

  std::uint32_t size() const { return static_cast<std::uint32_t>(parents_->size()); }  ///< nodes, with the root
  int depth(std::uint32_t node) const { return depths_[node]; }
  TreeNode children(std::uint32_t node) const { return (*nodes_)[node]; }
  int depth() const { return depths_.back(); }  ///< of the deepest node
  int widest() const;                           ///< the most children that a node has
  /// Whether each node above the last level has `widest()` children: a chain, or a k-ary tree.
  bool even() const;
  std::vector<int> const& parents() const { return *parents_; }
  std::string text() const;  ///< "[-1,0,0,1]"

  /// Valid as long as this tree, or a copy of it, lives.
  TreeView view() const;

  friend bool operator==(TreeShape const& a, TreeShape const& b) { return a.parents() == b.parents(); }

 private:
  explicit TreeShape(std::vector<int> parents);

  std::shared_ptr<std::vector<int> const> parents_ = std::make_shared<std::vector<int> const>(1, -1);
  std::shared_ptr<std::vector<TreeNode> const> nodes_ = std::make_shared<std::vector<TreeNode> const>(1);
  std::vector<int> depths_ = {0};
};

/// How many children the nodes of each level above the last have; none where nodes of one level differ in that.
std::optional<std::vector<int>> children_by_level(TreeShape const& tree);

}  // namespace draftgauge
