#include "analysis/trees/breadth_first.h"

#include <numeric>

namespace draftgauge {

TreeShape tree_of_parents(std::vector<int> const& parents) {
  return parents.size() == 1 ? TreeShape() : TreeShape::of_parents(parents);
}

TreeShape chain_tree(int gamma) {
  std::vector<int> parents(static_cast<std::size_t>(gamma) + 1);
  std::iota(parents.begin(), parents.end(), -1);
  return tree_of_parents(parents);
}

BreadthFirst breadth_first(std::span<std::vector<std::uint32_t> const> children) {
  std::vector<int> parents{-1};
  std::vector<std::uint32_t> nodes{0};
  for (std::size_t at = 0; at < nodes.size(); ++at)
    for (std::uint32_t const child : children[nodes[at]]) {
      nodes.push_back(child);
      parents.push_back(static_cast<int>(at));
    }
  return {tree_of_parents(parents), std::move(nodes)};
}

}  // namespace draftgauge
