#include "sim/draft/tree_shape.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"

using namespace draftgauge;

namespace {

using Parents = std::vector<int>;

void check_refused(Parents const& parents, std::string const& message) {
  CAPTURE(parents);
  CHECK_THROWS_MATCHES(TreeShape::of_parents(parents), UsageError, Catch::Message(message));
}

}  // namespace

TEST_CASE("a list of parents says depth and children of each node") {
  TreeShape const tree = TreeShape::of_parents({-1, 0, 0, 1, 1, 3});
  CHECK(tree.size() == 6);
  CHECK(tree.depth() == 3);
  CHECK(tree.widest() == 2);
  CHECK_FALSE(tree.even());
  CHECK(tree.text() == "[-1,0,0,1,1,3]");
  int const depth[] = {0, 1, 1, 2, 2, 3};
  TreeNode const children[] = {{1, 2}, {3, 2}, {0, 0}, {5, 1}, {0, 0}, {0, 0}};
  for (std::uint32_t node = 0; node < 6; ++node) {
    CAPTURE(node);
    CHECK(tree.depth(node) == depth[node]);
    CHECK(tree.children(node) == children[node]);
  }
  CHECK(tree.view().count == 6);
  CHECK(tree.view().inner == 3);
}

TEST_CASE("levels and paths are lists of parents") {
  CHECK(TreeShape::of_levels({2, 1}).parents() == Parents{-1, 0, 0, 1, 2});
  CHECK(TreeShape::of_levels({3}).parents() == Parents{-1, 0, 0, 0});
  CHECK(TreeShape::of_paths(2, 3).parents() == Parents{-1, 0, 0, 1, 2, 3, 4});
  CHECK(TreeShape::of_paths(1, 3).even());
  CHECK(TreeShape::of_levels({2, 2}).even());
  CHECK(TreeShape::of_levels({2, 2}).parents() ==
        Parents{-1, 0, 0, 1, 1, 2, 2});  // as sim/chance/layout.h numbers a k-ary tree
  CHECK_FALSE(TreeShape::of_levels({1, 2}).even());
}

TEST_CASE("a copy keeps the nodes that a view shows") {
  TreeView view;
  TreeShape copy;
  {
    TreeShape const tree = TreeShape::of_paths(2, 2);
    view = tree.view();
    copy = tree;
  }
  CHECK(view.nodes == copy.view().nodes);
  CHECK(view.nodes[0] == TreeNode{1, 2});
}

TEST_CASE("what is no tree is refused with its node") {
  check_refused({}, "a tree does not begin with -1 (node 0 is the root, which has no parent) write [-1,0,…]");
  check_refused({0, 0}, "a tree does not begin with -1 (node 0 is the root, which has no parent) write [-1,0,…]");
  check_refused({-1}, "a tree has no drafts (a round drafts a token at least) add a node: [-1,0]");
  check_refused({-1, 0, 2},
                "a tree has parent[2] = 2 (a parent is a node before it, 0 to 1) number nodes level by level");
  check_refused({-1, -1},
                "a tree has parent[1] = -1 (a parent is a node before it, 0 to 0) number nodes level by level");
  check_refused(
      {-1, 0, 1, 0},
      "a tree has parent[3] = 0 after 1 (nodes are numbered level by level, siblings side by side) number them so");
  Parents wide(34, 0);
  wide[0] = -1;
  check_refused(wide, "a tree has a node with 33 children (at most 32 can be simulated) draft fewer");
  Parents deep(258);
  for (int i = 0; i < 258; ++i) deep[static_cast<std::size_t>(i)] = i - 1;
  check_refused(deep, "a tree is 257 levels deep (at most 256 can be simulated) draft fewer");
  std::string const many =
      "a tree has more than 4096 nodes (every node of such a tree is listed) draft fewer, or an even tree with "
      "`gamma` "
      "and `candidates`";
  check_refused(Parents(4097, -1), many);
  CHECK_THROWS_MATCHES(TreeShape::of_levels({32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32}), UsageError,
                       Catch::Message(many));
  CHECK_THROWS_MATCHES(TreeShape::of_paths(2147483647, 2147483647), UsageError, Catch::Message(many));
  CHECK_THROWS_MATCHES(
      TreeShape::of_levels({2, 0}), UsageError,
      Catch::Message("a tree has a level of 0 children (each has one at least) leave the level out"));
  CHECK_THROWS_MATCHES(
      TreeShape::of_paths(0, 2), UsageError,
      Catch::Message("a tree has 0 paths of length 2 (there is one at least of each) give numbers from 1 on"));
}
