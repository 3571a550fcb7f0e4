#include "sim/draft/draft_tree.h"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/chance/scripted_chance.h"
#include "sim/draft/tree_shape.h"
#include "sim/model/bit_chance.h"
#include "sim/model/model.h"
#include "sim/model/table_model.h"
#include "sim/play/round.h"
#include "sim/play/simulation.h"
#include "sim/play/trial.h"
#include "sim/rules/recursive.h"
#include "sim/sources/source.h"

using namespace draftgauge;

namespace {

template <class Place>
constexpr bool shows_p = requires(Place const& place) { place.p(Token{0}); };
static_assert(shows_p<Node> && !shows_p<DraftSide<Node>>);

//      0
//    1   2
//   3 4  5
//   6
TreeShape const tree = TreeShape::of_parents({-1, 0, 0, 1, 1, 2, 3});
RoundShape const shape{.gamma = 3, .branching = 2, .tree = tree.view()};

/// A draft of a round, its chance and all that it refers to.
struct Drafted {
  explicit Drafted(std::uint64_t trial)
      : simulation({.rule = "recursive", .shape = {.gamma = 3, .branching = 2}}, source.tables, 7),
        model(simulation.plan().tables),
        chance(layout::Address::of(7, trial, 0), simulation.plan().tables.table_bits),
        draft(simulation.plan().drafting, model, shape, chance, model.contexts().first(chance, 0), nodes) {}

  static inline Source const source = open_source("dirichlet:vocab=16,contexts=8");
  Simulation simulation;
  SimulatedModel model;
  BitChance chance;
  DraftNodes nodes;
  DraftTree<SimulatedModel, BitChance> draft;
};

}  // namespace

TEST_CASE("a draft's tokens and contexts are the same in whatever order they are drawn") {
  Drafted down(3), across(3);
  for (std::uint32_t const node : {0, 1, 2, 3, 4, 5, 6}) down.draft.children(node);
  for (std::uint32_t const node : {0, 2, 5, 1, 4, 3, 6}) across.draft.children(node);
  for (std::uint32_t node = 1; node < tree.size(); ++node) {
    CAPTURE(node);
    CHECK(down.draft.token(node) == across.draft.token(node));
    CHECK(down.draft.row(node) == across.draft.row(node));
    CHECK(down.draft.parent(node) == static_cast<std::uint32_t>(tree.parents()[node]));
  }
}

TEST_CASE("what is not looked at is not drawn") {
  TableModel<double> const model(Follow::independent, {{{.5, .5}, {.5, .5}}});
  Drafting const drafting(AnyDrafter(drafter_call("sample").index));
  ScriptedChance chance({Token{1}, Token{0}, Token{1}});
  DraftNodes nodes;
  DraftTree draft(drafting, model, shape, chance, 0, nodes);
  CHECK(draft.child(2) == 5);
  CHECK(draft.child(6) == 0);
  CHECK(chance.picks() == 0);
  CHECK(draft.token_after(0) == 1);
  CHECK(draft.token(2) == 0);
  CHECK(draft.token_after(2) == 1);
  CHECK(chance.finished());
}

TEST_CASE("a rule stops at one place on a draft that is drawn whole, and on one drawn as it walks") {
  rules::Recursive<drafters::Sample> const rule;
  int deepest = 0;
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    Drafted whole(trial), lazy(trial);
    for (std::uint32_t node = 0; node < tree.size(); ++node) whole.draft.children(node);
    std::vector<Token> tokens, walked;
    auto const emit = [&](Token x) { tokens.push_back(x); };
    Stop const stop = walk(rule, whole.chance, whole.draft, true);
    int const accepted = accept(whole.draft, stop.node, emit);
    emit(stop.token);
    CHECK(accepted == tree.depth(stop.node));
    BitChance chance(layout::Address::of(7, trial, 0), lazy.simulation.plan().tables.table_bits);
    CHECK(accepted == play_round(rule, lazy.simulation.plan().drafting, lazy.model, shape, chance,
                                 lazy.model.contexts().first(chance, 0), [&](Token x) { walked.push_back(x); }));
    CHECK(tokens == walked);
    deepest = std::max(deepest, accepted);
  }
  CHECK(deepest == 3);
}

TEST_CASE("a policy ends a chain, below which there is nothing") {
  TableModel<double> const model(Follow::independent, {{{.5, .5}, {.9, .1}}});
  Drafting const drafting(AnyDrafter(drafter_call("sample").index),
                          AnyPolicy(policy_call("stop-below:threshold=.2")));
  ScriptedChance chance({Token{0}, Token{1}});
  RoundShape const chain{.gamma = 4};
  DraftNodes nodes;
  DraftTree draft(drafting, model, chain, chance, 0, nodes);
  CHECK(draft.draft_chain() == 2);
  CHECK(draft.size() == 3);
  CHECK(draft.child(1) == 2);
  CHECK(draft.child(2) == 0);
  CHECK(chance.finished());
}
