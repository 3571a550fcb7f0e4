#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// Resamples from p, not from (p − q)₊, after a rejection: what q had too much of is put back on tokens in p's
/// proportion.
struct ResidualFromTarget {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0"},
                                                 .distance = "1/4",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "1/3,2/3"},
                                                 .why = "where p = q nothing is rejected"};
  static constexpr RuleCard card{.name = "faulty/residual-from-target",
                                 .summary = "resample from p after a rejection",
                                 .source = "github.com/ShopeeLLM/Spec-RL, issue 14",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    return chance.flip(node.p(x), node.q(x)) ? descend(0) : emit(chance.pick(node.target()));
  }
};

}  // namespace draftgauge::faulty
