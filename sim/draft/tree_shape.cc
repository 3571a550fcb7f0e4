#include "sim/draft/tree_shape.h"

#include <algorithm>
#include <utility>

#include "sim/base/error.h"
#include "sim/draft/children.h"

namespace draftgauge {
namespace {

[[noreturn]] void wrong(std::string const& name, std::string const& problem, std::string const& why,
                        std::string const& what) {
  throw UsageError(name + " " + problem + " (" + why + ")", what);
}

}  // namespace

void check_tree_size(std::size_t nodes, std::string const& name) {
  if (nodes > max_tree_nodes)
    wrong(name, "has more than " + std::to_string(max_tree_nodes) + " nodes", "every node of such a tree is listed",
          "draft fewer, or an even tree with `gamma` and `candidates`");
}

TreeShape::TreeShape(std::vector<int> parents) {
  std::vector<TreeNode> nodes(parents.size());
  depths_.resize(parents.size());
  for (std::uint32_t node = 1; node < parents.size(); ++node) {
    auto const parent = static_cast<std::size_t>(parents[node]);
    if (nodes[parent].count == 0) nodes[parent].first = node;
    depths_[node] = depths_[parent] + 1;
    ++nodes[parent].count;
  }
  parents_ = std::make_shared<std::vector<int> const>(std::move(parents));
  nodes_ = std::make_shared<std::vector<TreeNode> const>(std::move(nodes));
}

TreeShape TreeShape::of_parents(std::vector<int> const& parents, std::string const& name) {
  auto const at = [](std::size_t node) { return "parent[" + std::to_string(node) + "]"; };
  if (parents.empty() || parents[0] != -1)
    wrong(name, "does not begin with -1", "node 0 is the root, which has no parent", "write [-1,0,…]");
  check_tree_size(parents.size(), name);
  if (parents.size() == 1) wrong(name, "has no drafts", "a round drafts a token at least", "add a node: [-1,0]");
  for (std::size_t node = 1; node < parents.size(); ++node) {
    if (parents[node] < 0 || static_cast<std::size_t>(parents[node]) >= node)
      wrong(name, "has " + at(node) + " = " + std::to_string(parents[node]),
            "a parent is a node before it, 0 to " + std::to_string(node - 1), "number nodes level by level");
    if (parents[node] < parents[node - 1])
      wrong(name,
            "has " + at(node) + " = " + std::to_string(parents[node]) + " after " + std::to_string(parents[node - 1]),
            "nodes are numbered level by level, siblings side by side", "number them so");
  }
  TreeShape tree(parents);
  if (tree.widest() > max_children)
    wrong(name, "has a node with " + std::to_string(tree.widest()) + " children",
          "at most " + std::to_string(max_children) + " can be simulated", "draft fewer");
  if (tree.depth() > max_gamma)
    wrong(name, "is " + std::to_string(tree.depth()) + " levels deep",
          "at most " + std::to_string(max_gamma) + " can be simulated", "draft fewer");
  return tree;
}

TreeShape TreeShape::of_levels(std::vector<int> const& children, std::string const& name) {
  std::vector<int> parents{-1};
  std::size_t begin = 0;
  for (int const count : children) {
    if (count < 1)
      wrong(name, "has a level of " + std::to_string(count) + " children", "each has one at least",
            "leave the level out");
    std::size_t const end = parents.size();
    check_tree_size(end + (end - begin) * static_cast<std::size_t>(count), name);
    for (std::size_t parent = begin; parent < end; ++parent)
      parents.insert(parents.end(), static_cast<std::size_t>(count), static_cast<int>(parent));
    begin = end;
  }
  return of_parents(parents, name);
}

TreeShape TreeShape::of_paths(int paths, int length, std::string const& name) {
  if (paths < 1 || length < 1)
    wrong(name, "has " + std::to_string(paths) + " paths of length " + std::to_string(length),
          "there is one at least of each", "give numbers from 1 on");
  check_tree_size(1 + static_cast<std::size_t>(paths) * static_cast<std::size_t>(length), name);
  std::vector<int> children(static_cast<std::size_t>(length), 1);
  children.front() = paths;
  return of_levels(children, name);
}

int TreeShape::widest() const { return static_cast<int>(std::ranges::max(*nodes_, {}, &TreeNode::count).count); }

TreeView TreeShape::view() const {
  auto const inner = std::ranges::count_if(*nodes_, [](TreeNode const& node) { return node.count > 0; });
  return {nodes_->data(), size(), static_cast<std::uint32_t>(inner)};
}

bool TreeShape::even() const {
  auto const most = static_cast<std::uint32_t>(widest());
  for (std::uint32_t node = 0; node < size(); ++node)
    if (depths_[node] < depth() && children(node).count != most) return false;
  return true;
}

std::string TreeShape::text() const {
  std::string text = "[";
  for (int const parent : *parents_) text += (text.size() > 1 ? "," : "") + std::to_string(parent);
  return text + "]";
}

std::optional<std::vector<int>> children_by_level(TreeShape const& tree) {
  std::vector<int> children;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    auto const depth = static_cast<std::size_t>(tree.depth(node));
    auto const count = static_cast<int>(tree.children(node).count);
    if (depth == children.size()) children.push_back(count);
    if (children[depth] != count) return std::nullopt;
  }
  children.pop_back();
  return children;
}

}  // namespace draftgauge
