#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/rules/naive_set.h"
#include "sim/rules/one_hot.h"

namespace draftgauge::rules {

/// Test a fixed set of k tokens one after another with q taken for 1: accept with probability p(x) over what p has
/// left, and strike x out of p after a rejection. It looks wrong, since no q stands in it, and is not: given the set,
/// each step is `one-hot` on what is left. Accepts p(set). EAGLE-2, Li et al. 2024 (arXiv 2406.16858), as its
/// repository codes it.
struct TopSet {
  static constexpr RuleCard card{
      .name = "top-set",
      .summary = "test the k most likely drafts in turn with q := 1, striking each out of p",
      .source = "EAGLE-2, Li et al. 2024, arXiv 2406.16858",
      .drafter = "top",
      .lossless = true,
      .many_children = true};
  static constexpr Shape shape = Shape::node;
  static constexpr AlongTree along_tree = AlongTree::drafted;
  static constexpr bool reads_order = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Weight left = node.total();
    for (int i = 0; i < node.children(); ++i) {
      Token const x = node.child(i);
      if (chance.flip(Weight(node.p(x)), left)) return descend(i);
      left = Weight(left - node.p(x));
    }
    return emit(chance.pick(node.p_without(node.children())));
  }

  static constexpr bool equals(As<OneHot>, int k) { return k == 1; }
  static constexpr bool equals(As<NaiveSet<drafters::Sample>>, int) { return true; }
  static constexpr bool equals(As<Coupled>, int k) { return k == 1; }

  template <class Row>
  static auto acceptance(drafters::Top drafts, Row const& row, int k) {
    return NaiveSet<drafters::Sample>::acceptance(drafts, row, k);
  }
};

}  // namespace draftgauge::rules
