#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// Takes token 0 for "no token": rejects it when it is drafted, and strikes it out of every law that it emits from.
struct NoTokenZero {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0"},
                                                 .distance = "1/2",
                                                 .rounds = 1000,
                                                 .hides = {.p = "0,1", .q = "1/2,1/2"},
                                                 .why = "p has no token 0"};
  static constexpr RuleCard card{
      .name = "faulty/no-token-zero",
      .summary = "token number 0 is taken for none",
      .source = "against Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1: a test of truth, or of padding",
      .drafter = "sample",
      .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    bool const drafted = node.children() > 0;
    Token const x = drafted ? node.child(0) : 0;
    if (drafted && x != 0 && chance.flip(node.p(x), node.q(x))) return descend(0);
    auto const owed = [&](Token y) {
      return drafted ? excess(Weight(node.p(y)), Weight(node.q(y))) : Weight(node.p(y));
    };
    bool any = false;
    for (Token y = 1; y < node.vocab(); ++y) any = any || owed(y) > Weight(0);
    if (!any) return emit(chance.pick(node.target()));
    return emit(chance.pick(Weights{node.vocab(), [&](Token y) { return y == 0 ? Weight(0) : owed(y); }}));
  }
};

}  // namespace draftgauge::faulty
