#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// Draws the token after the last draft from the logits as they are, at any temperature. Here verification has the
/// temperature 2: p is softmax(z/2), and softmax(z) is p² over its sum. EAGLE's reference code does so, in two
/// versions.
struct UntemperedBonus {
  static constexpr Counterexample counterexample{.shows = {.p = "2/3,1/3", .q = "1,0", .tokens = 2},
                                                 .distance = "4/45",
                                                 .rounds = 10000,
                                                 .hides = {.p = "1/2,1/2", .q = "1/3,2/3", .tokens = 2},
                                                 .why = "a uniform p is the same at every temperature"};
  static constexpr RuleCard card{.name = "faulty/untempered-bonus",
                                 .summary = "draw the bonus token from the logits, whatever the temperature (2)",
                                 .source = "github.com/SafeAILab/EAGLE, evaluate_posterior of two versions",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() == 0)
      return emit(chance.pick(Weights{node.vocab(), [&](Token x) {
                                        Real const share = Real(node.p(x)) / Real(node.total());
                                        return Real(share * share);
                                      }}));
    Token const x = node.child(0);
    return chance.flip(node.p(x), node.q(x)) ? descend(0) : emit(chance.pick(node.residual()));
  }
};

}  // namespace draftgauge::faulty
