#pragma once
#include "sim/draft/verdict.h"
#include "sim/rules/coin.h"

namespace draftgauge::faulty {

/// A uniform number of 11 bits, as half precision has, in a test r ≤ p/q: it is 0 once in 2048 draws, and accepts then
/// what p never emits.
struct CoarseCoin {
  static constexpr Counterexample counterexample{.shows = {.p = "1,0", .q = "0,1"},
                                                 .distance = "1/2048",
                                                 .rounds = 100000,
                                                 .hides = {.p = ".25,.75", .q = ".25,.75"},
                                                 .why = "where p = q every number accepts"};
  static constexpr RuleCard card{.name = "faulty/coarse-coin",
                                 .summary = "a coin of 11 bits that can be 0, accepted with ≤",
                                 .source = "github.com/sgl-project/sglang, issue 35771, with a float32 coin",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    bool const accepted =
        rules::coin_accepts(chance, Ratio{11, 1}, rules::Compare::at_most, Weight(node.p(x)), Weight(node.q(x)));
    return accepted ? descend(0) : emit(chance.pick(node.residual()));
  }
};

}  // namespace draftgauge::faulty
