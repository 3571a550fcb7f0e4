#pragma once
#include <cstdint>

#include "sim/base/host_device.h"

namespace draftgauge {

/// The most nodes that a tree given node by node may have, its root among them.
inline constexpr std::uint32_t max_tree_nodes = 4096;

/// The children of a node: `count` of them side by side, the first being number `first`.
struct TreeNode {
  std::uint32_t first = 0, count = 0;

  friend bool operator==(TreeNode const&, TreeNode const&) = default;
};

/// The nodes of a tree where they are, on any machine. None: the tree is a k-ary one, whose nodes need no list.
struct TreeView {
  TreeNode const* nodes = nullptr;
  std::uint32_t count = 0;  ///< with the root
  std::uint32_t inner = 0;  ///< those that have children

  DRAFTGAUGE_HD bool listed() const { return nodes != nullptr; }
  friend bool operator==(TreeView const&, TreeView const&) = default;
};

}  // namespace draftgauge
