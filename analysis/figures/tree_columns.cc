#include "analysis/figures/tree_columns.h"

#include <algorithm>

namespace draftgauge {
namespace {

/// How far a subtree reaches in each of its rows, from its root's column.
struct Outline {
  std::vector<double> left, right;
};

/// Sets the columns of the node's children from its own, and theirs from theirs.
Outline place(TreeShape const& tree, std::uint32_t node, std::vector<double>& columns) {
  Outline whole{{0}, {0}};
  TreeNode const children = tree.children(node);
  for (std::uint32_t child = children.first; child < children.first + children.count; ++child) {
    Outline const below = place(tree, child, columns);
    double shift = 0;
    for (std::size_t row = 0; row < below.left.size() && row + 1 < whole.right.size(); ++row)
      shift = std::max(shift, whole.right[row + 1] + 1 - below.left[row]);
    columns[child] = shift;
    for (std::size_t row = 0; row < below.left.size(); ++row) {
      if (row + 1 == whole.left.size()) {
        whole.left.push_back(shift + below.left[row]);
        whole.right.push_back(0);
      }
      whole.right[row + 1] = shift + below.right[row];
    }
  }
  return whole;
}

}  // namespace

std::vector<double> tree_columns(TreeShape const& tree) {
  std::vector<double> columns(tree.size());
  place(tree, 0, columns);
  for (std::uint32_t node = 1; node < tree.size(); ++node)
    columns[node] += columns[static_cast<std::size_t>(tree.parents()[node])];
  return columns;
}

}  // namespace draftgauge
