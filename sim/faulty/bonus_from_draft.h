#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// Draws the token after γ acceptances from q, whose logits are at hand, and not from p.
struct BonusFromDraft {
  static constexpr Counterexample counterexample{.shows = {.p = "1,0", .q = "1/2,1/2", .tokens = 2},
                                                 .distance = "1/4",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "2/3,1/3"},
                                                 .why = "a round's first token never is the bonus"};
  static constexpr RuleCard card{.name = "faulty/bonus-from-draft",
                                 .summary = "draw the bonus token from q",
                                 .source = "against Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.children() == 0) return emit(chance.pick(node.draft()));
    Token const x = node.child(0);
    return chance.flip(node.p(x), node.q(x)) ? descend(0) : emit(chance.pick(node.residual()));
  }
};

}  // namespace draftgauge::faulty
