#include "sim/play/round.h"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/chance/scripted_chance.h"
#include "sim/draft/any_drafter.h"
#include "sim/draft/tree_shape.h"
#include "sim/model/table_model.h"
#include "sim/rules/block.h"
#include "sim/rules/recursive.h"
#include "sim/rules/token.h"

using namespace draftgauge;

namespace {

/// Writes down what a round tells.
struct Recorder {
  std::vector<Token> tokens;
  std::vector<std::uint64_t> passes, drafted, scored;
  std::vector<std::uint32_t> path;

  void operator()(Token x) { tokens.push_back(x); }
  void draft_passes(std::uint64_t count, std::uint64_t positions) {
    passes.push_back(count);
    drafted.push_back(positions);
  }
  void reached(std::uint32_t node) { path.push_back(node); }
  void target_pass(std::uint64_t positions) { scored.push_back(positions); }
};

template <class Rule>
Recorder played(RoundShape shape, std::vector<ScriptedChance::Answer> script) {
  TableModel<double> const model(Follow::independent, {{{.5, .5}, {.5, .5}}});
  ScriptedChance chance(std::move(script));
  Recorder recorder;
  play_round(Rule{}, AnyDrafter(0), model, shape, chance, 0, recorder);
  return recorder;
}

using Positions = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a chain costs γ draft steps of a position and one pass over γ + 1, whatever is accepted") {
  auto const node = played<rules::TokenRule>({2, 1, true}, {Token{0}, true, Token{1}, true, Token{0}});
  CHECK(node.passes == Positions{2});
  CHECK(node.drafted == Positions{2});
  CHECK(node.scored == Positions{3});
  auto const path = played<rules::BlockRule>({2, 1, true}, {Token{0}, true, Token{1}, true, Token{0}});
  CHECK(path.passes == Positions{2});
  CHECK(path.drafted == Positions{2});
  CHECK(path.scored == Positions{3});
  CHECK(path.tokens.size() == 3);
}

TEST_CASE("without the bonus token the last drafts need no distribution after them") {
  auto const chain = played<rules::TokenRule>({2, 1, false}, {Token{0}, true, Token{1}, true});
  CHECK(chain.drafted == Positions{2});
  CHECK(chain.scored == Positions{2});
}

TEST_CASE("a tree's draft is computed at its inner nodes, and all nodes are scored") {
  Recorder tree;
  spend_passes({3, 2, true}, tree);
  CHECK(tree.passes == Positions{3});
  CHECK(tree.drafted == Positions{7});
  CHECK(tree.scored == Positions{15});
  Recorder without;
  spend_passes({3, 2, false}, without);
  CHECK(without.scored == Positions{7});
}

TEST_CASE("a listed tree is walked by its nodes, and costs its levels and nodes") {
  //      0
  //    1   2
  //   3 4
  //     5
  TreeShape const tree = TreeShape::of_parents({-1, 0, 0, 1, 1, 4});
  RoundShape shape{tree.depth(), tree.widest(), true, tree.view()};
  // Of recursive rejection where p = q: the first child is certain, so that a rejection has to be scripted away.
  auto const all = played<rules::Recursive<drafters::Sample>>(
      shape, {Token{0}, Token{1}, true, Token{0}, Token{1}, true, Token{1}});
  CHECK(all.path == std::vector<std::uint32_t>{1, 3});
  CHECK(all.tokens == std::vector<Token>{0, 0, 1});
  CHECK(all.passes == Positions{3});
  CHECK(all.drafted == Positions{3});  // at 0, 1 and 4
  CHECK(all.scored == Positions{6});

  shape.bonus = false;
  auto const bare =
      played<rules::Recursive<drafters::Sample>>(shape, {Token{0}, Token{1}, true, Token{0}, Token{1}, true});
  CHECK(bare.tokens == std::vector<Token>{0, 0});  // node 3 has no children, though the tree is deeper elsewhere
  CHECK(bare.scored == Positions{3});
}

TEST_CASE("a tree beyond 2^32 nodes is not counted") {
  CHECK(tree_nodes(32, 7) == 1'108'378'657);
  CHECK(tree_nodes(32, 8) == 0);
  CHECK(tree_nodes(32, 200) == 0);
  CHECK(tree_nodes(1, 257) == 257);
}
