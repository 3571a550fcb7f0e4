#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// Exact match that draws from p a second time after a mismatch, although the first draw was the answer.
struct FreshAfterMismatch {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0"},
                                                 .distance = "1/4",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "1/2,1/2"},
                                                 .why = "a uniform draft matches every token alike"};
  static constexpr RuleCard card{.name = "faulty/fresh-after-mismatch",
                                 .summary = "draw from p; after a mismatch draw from p again",
                                 .source = "against llama.cpp, common_sampler_sample_and_accept_n",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    Token const y = chance.pick(node.target());
    if (node.children() == 0) return emit(y);
    return node.child(0) == y ? descend(0) : emit(chance.pick(node.target()));
  }
};

}  // namespace draftgauge::faulty
