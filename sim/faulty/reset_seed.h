#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/faulty/constant_coin.h"
#include "sim/faulty/drafters.h"

namespace draftgauge::faulty {

/// The generator is seeded before every test, so that the same random numbers follow each time: one for the tests, and
/// the same ones for the token that ends a round and for the next round's drafts. All texts of a prompt are then
/// equal. Here one number picks every token (`SameNumber`), and another is in every test.
struct ResetSeed : ConstantCoin {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0"},
                                                 .distance = "1/2",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1,0", .q = "1/2,1/2"},
                                                 .why = "where p is certain there is nothing to draw"};
  static constexpr RuleCard card{.name = "faulty/reset-seed",
                                 .summary = "the generator seeded before every test: each text is the same",
                                 .source = "github.com/feifeibear/LLMSpeculativeSampling with random_seed",
                                 .drafter = "faulty/same-number",
                                 .parameters = parameters,
                                 .counterexample = counterexample};
  using ConstantCoin::ConstantCoin;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance&, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() == 0)
      return emit(at_same_number<Weight>(node.vocab(), [&](Token x) { return Weight(node.p(x)); }));
    if (accepts(node)) return descend(0);
    return emit(at_same_number<Weight>(
        node.vocab(), [&](Token x) { return excess(Weight(node.p(x)), Weight(node.q(x))); }));
  }
};

}  // namespace draftgauge::faulty
