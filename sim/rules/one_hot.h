#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/rules/coupled.h"

namespace draftgauge::rules {

/// The token rule for a draft that is certain (q one-hot at x): accept with probability p(x), else emit from p
/// without x. Lossless for every drafter, since it holds whatever x is. Leviathan et al. 2023 (arXiv 2211.17192),
/// Section 2.2.
struct OneHot {
  static constexpr RuleCard card{.name = "one-hot",
                                 .summary = "accept argmax q with probability p, else emit from p without it",
                                 .source = "Leviathan et al. 2023, arXiv 2211.17192, Section 2.2",
                                 .drafter = "top",
                                 .lossless = true};
  static constexpr Shape shape = Shape::node;
  static constexpr AlongTree along_tree = AlongTree::drafted;
  static constexpr bool flips_once = true, reads_order = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    if (chance.flip(node.p(x), node.total())) return descend(0);
    return emit(chance.pick(node.p_without(1)));
  }

  static constexpr bool equals(As<Coupled>, int) { return true; }

  template <class Row>
  static auto acceptance(drafters::Top drafts, Row const& row, int k) {
    return Coupled::acceptance(drafts, row, k);
  }
  using Replay = KeptWhereHit;
};

}  // namespace draftgauge::rules
