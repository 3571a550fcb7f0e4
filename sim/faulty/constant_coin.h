#pragma once
#include "sim/draft/verdict.h"
#include "sim/task/card.h"

namespace draftgauge::faulty {

/// A uniform number that is the same every time, as when the generator is seeded inside the loop: drafts with
/// r ≤ p/q always pass, the others never do.
struct ConstantCoin {
  static constexpr ParameterCard parameters[] = {
      {.name = "r", .meaning = "the number", .standard = {1, 10}, .least = {0, 1}, .most = {1, 1}}};
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0"},
                                                 .distance = "1/2",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "1/3,2/3"},
                                                 .why = "where p = q every number accepts"};
  static constexpr RuleCard card{.name = "faulty/constant-coin",
                                 .summary = "the same uniform number in every test",
                                 .source = "github.com/feifeibear/LLMSpeculativeSampling with random_seed",
                                 .drafter = "sample",
                                 .parameters = parameters,
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  explicit constexpr ConstantCoin(Parameters const& values) : r(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    bool const rejected = Weight(node.p(x)) * Weight(r.den) < Weight(node.q(x)) * Weight(r.num);
    return rejected ? emit(chance.pick(node.residual())) : descend(0);
  }

  Ratio r;
};

}  // namespace draftgauge::faulty
