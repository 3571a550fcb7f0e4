#pragma once
#include "sim/card.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// Accept the draft x with probability min(1, p(x)/q(x)); at the first rejection emit from norm((p − q)₊), after the
/// last acceptance from p. Leviathan, Kalman, Matias 2023 (arXiv 2211.17192), Algorithm 1.
struct TokenRule {
  static constexpr RuleCard card{.name = "token",
                                 .summary = "accept a draft with probability min(1, p/q), else emit from (p − q)₊",
                                 .source = "Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .many_candidates = false};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.candidates() == 0) return emit(chance.pick(node.target()));
    Token const x = node.candidate(0);
    return chance.flip(node.p(x), node.q(x)) ? descend(0) : emit(chance.pick(node.residual()));
  }
};

}  // namespace draftgauge::rules
