#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// A uniform number that is the same in every test: drafts with r ≤ p/q always pass, the others never do. Drafts and
/// emitted tokens are random, which they are not where a generator is seeded before every test (`reset-seed`).
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
                                 .source = "against Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1: r_i ~ U(0, 1)",
                                 .drafter = "sample",
                                 .parameters = parameters,
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  explicit constexpr ConstantCoin(Parameters const& values) : r(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.children() == 0) return emit(chance.pick(node.target()));
    return accepts(node) ? descend(0) : emit(chance.pick(node.residual()));
  }

  template <class Node>
  DRAFTGAUGE_HD bool accepts(Node const& node) const {
    using Weight = typename Node::Weight;
    Token const x = node.child(0);
    return !(Weight(node.p(x)) * Weight(r.den) < Weight(node.q(x)) * Weight(r.num));
  }

  Ratio r;
};

}  // namespace draftgauge::faulty
