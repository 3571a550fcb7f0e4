#pragma once
#include <algorithm>
#include <type_traits>
#include <vector>

namespace draftgauge {

/// What stands on the way from the root, which is node 0, down to a node: of(node) of each but the root.
template <class Node, class Parent, class Of>
auto path_down(Node node, Parent const& parent, Of const& of) {
  std::vector<std::decay_t<std::invoke_result_t<Of const&, Node>>> path;
  for (; node != 0; node = parent(node)) path.push_back(of(node));
  std::ranges::reverse(path);
  return path;
}

}  // namespace draftgauge
