#include "sim/draft/tree_text.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;

namespace {

std::string refused(std::string const& text) {
  try {
    parse_tree(text);
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an even tree is told by two numbers, however it is written") {
  for (auto const* text : {"chain:3", "kary:1,3", "levels:1,1,1", "paths:1,3", "[-1,0,1,2]"}) {
    CAPTURE(text);
    ParsedTree const tree = parse_tree(text);
    CHECK(tree.gamma == 3);
    CHECK(tree.branching == 1);
    CHECK(tree.even());
  }
  for (auto const* text : {"kary:2,2", "levels:2,2", "[-1,0,0,1,1,2,2]"}) {
    CAPTURE(text);
    ParsedTree const tree = parse_tree(text);
    CHECK(tree.gamma == 2);
    CHECK(tree.branching == 2);
    CHECK(tree.even());
  }
  CHECK(parse_tree("kary:2,20").gamma == 20);  // more nodes than are ever listed
}

TEST_CASE("another tree is its nodes") {
  ParsedTree const tree = parse_tree("levels:3,2");
  CHECK(tree.gamma == 2);
  CHECK(tree.branching == 3);
  CHECK(tree.uneven == TreeShape::of_levels({3, 2}));
  CHECK(parse_tree("paths:3,4").uneven == TreeShape::of_paths(3, 4));
  CHECK(parse_tree("[-1, 0, 0, 1]").uneven.text() == "[-1,0,0,1]");
  TemporaryFile const file(".json", "[-1,0,0,\n1,1,3]\n");
  CHECK(parse_tree(file.path()).uneven.text() == "[-1,0,0,1,1,3]");
}

TEST_CASE("a text that is no tree is quoted, with what can be written") {
  std::string const syntax =
      " write chain:5, kary:2,3 (children, levels), levels:3,2 (children by level), paths:3,4 (chains, "
      "length), medusa:64, [-1,0,0,1] (parents) or a file of them";
  CHECK(refused("bush:3") ==
        "`tree` bush:3 cannot be read (there is neither such a kind of tree nor such a file)" + syntax);
  CHECK(refused("") == "`tree`  cannot be read (there is neither such a kind of tree nor such a file)" + syntax);
  CHECK(refused("chain:x") == "`tree` chain:x cannot be read ('x' is no number from 1 on)" + syntax);
  CHECK(refused("chain:0") == "`tree` chain:0 cannot be read ('0' is no number from 1 on)" + syntax);
  CHECK(refused("levels:2,,1") == "`tree` levels:2,,1 cannot be read ('' is no number from 1 on)" + syntax);
  CHECK(refused("kary:99999999999,1") ==
        "`tree` kary:99999999999,1 cannot be read ('99999999999' is no number from 1 on)" + syntax);
  CHECK(refused("kary:2") == "`tree` kary:2 cannot be read (there are 1 numbers where kary:2,3 has 2)" + syntax);
  CHECK(refused("paths:1,2,3") ==
        "`tree` paths:1,2,3 cannot be read (there are 3 numbers where paths:3,4 has 2)" + syntax);
  CHECK(
      refused("[-1,0") ==
      "`tree` [-1,0: it is not JSON from its byte 5 of 5 on (a tree is written as the parent of each node) write it "
      "like [-1,0,0,1]");
  CHECK(refused("[-1,0.5]") ==
        "`tree` [-1,0.5] has parent[1] = 0.5 (a parent is the number of a node before it, and that "
        "of node 0 is -1) correct it");
  CHECK(
      refused("[-1,99999999999]") ==
      "`tree` [-1,99999999999] has parent[1] = 99999999999 (a parent is the number of a node before it, and that of "
      "node 0 is -1) correct it");
  CHECK(refused("[-1,0,5]") ==
        "`tree` [-1,0,5] has parent[2] = 5 (a parent is a node before it, 0 to 1) number nodes level by level");
  CHECK(refused("[18446744073709551615,0]") ==
        "`tree` [18446744073709551615,0] has parent[0] = 18446744073709551615 (a parent is the number of a node "
        "before it, "
        "and that of node 0 is -1) correct it");
  std::string const deep = "[-1," + std::string(200'000, '[') + std::string(200'000, ']') + "]";
  CHECK(refused(deep) ==
        "`tree` " + deep.substr(0, 60) +
            "…: it is nested deeper than 100 levels (no format that is read is so deep) check that it is the right "
            "file");
  CHECK(
      refused("[-1,[0]]") ==
      "`tree` [-1,[0]] has parent[1] = array (a parent is the number of a node before it, and that of node 0 is -1) "
      "correct it");
  TemporaryFile const twice(".json", R"({"parents": [-1, 0], "parents": [-1, 0, 0]})");
  CHECK(refused(twice.path()) ==
        "`tree` " + twice.path() +
            ": it has the key 'parents' twice (readers differ in which of them they take) keep "
            "one");
  TemporaryFile const large(".json", "[-1" + std::string(1 << 20, ' ') + "]");
  CHECK(refused(large.path()) == "`tree` " + large.path() +
                                     " has 1048580 bytes (a tree has 4096 nodes at most, and is read up to 1048576 "
                                     "bytes) check that it is a tree");
  TemporaryFile const file(".json", "{}");
  CHECK(refused(file.path()) ==
        "`tree` " + std::string(file.path()) +
            " is no list of parents (a tree is written as the parent of each node) write it like "
            "[-1,0,0,1]");
}

TEST_CASE("Medusa's tree is the one that its repository ships") {
  TreeShape const tree = parse_tree("medusa:64").uneven;
  CHECK(tree.size() == 64);
  std::vector<int> by_depth(5);
  for (std::uint32_t node = 0; node < tree.size(); ++node) ++by_depth[static_cast<std::size_t>(tree.depth(node))];
  CHECK(by_depth == std::vector<int>{1, 10, 28, 23, 2});
  CHECK(tree.children(0).count == 10);
  CHECK(tree.children(10).count == 1);
  CHECK(refused("medusa:63")
            .starts_with("`tree` medusa:63 cannot be read (the tree that Medusa ships has 64 nodes) write chain:5"));
}

TEST_CASE("what says how a tree is chosen is no shape, and the hint says what finds one") {
  CHECK(refused("sequoia:64") ==
        "`tree` sequoia:64 names no shape (which tree is best depends on what is accepted by rank, and on costs) run "
        "draftgauge tree SOURCE `nodes` 64 and give the `tree` that it prints");
  CHECK(refused("sequoia:x; rm").find("`nodes` 64 and") != std::string::npos);
  for (std::string const text : {"eagle2:8,6,60", "opt-tree:50", "best-first:16,4"})
    CHECK(
        refused(text) ==
        "`tree` " + text +
            " names no shape (it grows with the draft model's probabilities, another tree each round) see draftgauge "
            "tree SOURCE `grown` for what such trees claim and get");
}

TEST_CASE("a file may be what draftgauge tree prints") {
  TemporaryFile const file(".json", R"({"command": "tree", "nodes": 4, "parents": [-1, 0, 0, 1]})");
  CHECK(parse_tree(file.path()).uneven.text() == "[-1,0,0,1]");
  TemporaryFile const plain(".json", R"({"parents": [-1]})");
  CHECK(refused(plain.path()).ends_with("has no drafts (a round drafts a token at least) add a node: [-1,0]"));
  TemporaryFile const wrong(".json", R"({"parents": {"parents": [-1, 0]}})");
  CHECK(refused(wrong.path()).find("is no list of parents") != std::string::npos);
}

TEST_CASE("a tree is written as shortly as it can be read") {
  for (std::string const text : {"chain:1", "chain:5", "kary:2,3", "levels:3,2", "paths:3,4", "levels:1,2",
                                 "levels:2,1", "[-1,0,0,1,1,3]", "kary:3,1"}) {
    ParsedTree const parsed = parse_tree(text);
    TreeShape const tree =
        parsed.even()
            ? TreeShape::of_levels(std::vector<int>(static_cast<std::size_t>(parsed.gamma), parsed.branching))
            : parsed.uneven;
    CHECK(tree_text(tree) == text);
  }
}
