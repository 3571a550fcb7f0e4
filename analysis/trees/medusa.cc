#include "analysis/trees/medusa.h"

#include <algorithm>
#include <queue>

#include "analysis/trees/breadth_first.h"
#include "sim/base/error.h"
#include "sim/draft/children.h"

namespace draftgauge {

TreeShape medusa_tree(std::span<std::vector<double> const> heads, int nodes) {
  struct Place {
    double value, above;  ///< Π P with the node, and of its parent
    int order;            ///< in which it could be added
    std::uint32_t parent;
    int rank, depth;
  };
  auto const worse = [](Place const& a, Place const& b) {
    return a.value != b.value ? a.value < b.value : a.order > b.order;
  };
  std::priority_queue<Place, std::vector<Place>, decltype(worse)> open(worse);
  int order = 0;
  auto const offer = [&](std::uint32_t parent, int rank, int depth, double above) {
    if (depth > max_gamma || rank > max_children) return;
    auto const& head = heads[std::min(static_cast<std::size_t>(depth), heads.size()) - 1];
    if (static_cast<std::size_t>(rank) > head.size()) return;
    open.push({above * head[static_cast<std::size_t>(rank) - 1], above, order++, parent, rank, depth});
  };
  if (heads.empty()) throw UsageError("there are no heads (each drafts one level)", "give one at least");
  std::vector<std::vector<std::uint32_t>> children(1);
  offer(0, 1, 1, 1);
  while (static_cast<int>(children.size()) < nodes && !open.empty()) {
    Place const best = open.top();
    open.pop();
    auto const node = static_cast<std::uint32_t>(children.size());
    children.emplace_back();
    children[best.parent].push_back(node);
    offer(node, 1, best.depth + 1, best.value);
    offer(best.parent, best.rank + 1, best.depth, best.above);
  }
  return breadth_first(children).tree;
}

}  // namespace draftgauge
