#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/rules/top_set.h"

namespace draftgauge::rules {

/// One coin u for all drafts of a position: the first x is accepted with S ≥ t·u, S being the sum of p over the
/// drafts up to x, or with p(x) ≥ s. If none is, emit from p without the drafts. For t = s = 1 and drafts that differ
/// that is `top-set`, and lossless; smaller t or s accept more and are not, nor are drafts that may be equal, whose p
/// counts twice. SGLang's kernel tree_speculative_sampling_target_only, where t and s are
/// speculative_accept_threshold_acc and _single.
///
/// That x is accepted by the coin has probability p(x)/(t − S before x) given that none before it was.
struct Sglang {
  static constexpr ParameterCard parameters[] = {{.name = "threshold",
                                                  .meaning = "t: the sum of p that is accepted for certain",
                                                  .standard = {1, 1},
                                                  .least = {1, 100},
                                                  .most = {1, 1}},
                                                 {.name = "single",
                                                  .meaning = "s: the p of one draft that is accepted for certain",
                                                  .standard = {1, 1},
                                                  .least = {0, 1},
                                                  .most = {1, 1}}};
  static constexpr RuleCard card{
      .name = "sglang",
      .summary = "one coin for all drafts of a position, against their cumulative p over t",
      .source = "github.com/sgl-project/sglang, tree_speculative_sampling_target_only",
      .drafter = "top",
      .lossless = true,
      .many_children = true,
      .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr AlongTree along_tree = AlongTree::drafted;
  static constexpr bool reads_order = true;

  explicit constexpr Sglang(Parameters const& values) : threshold(values.value[0]), single(values.value[1]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Weight const total = node.total(), certain = Weight(total * Weight(threshold.num));
    Weight before = 0;
    for (int i = 0; i < node.children(); ++i) {
      Weight const p = node.p(node.child(i)), here = Weight(p * Weight(threshold.den));
      Weight const open = Weight(certain - before);
      bool const stands = !(Weight(p * Weight(single.den)) < Weight(total * Weight(single.num)));
      if (stands || !(here < open) || chance.flip(here, open)) return descend(i);
      before = Weight(before + here);
    }
    return emit(chance.pick(node.p_without(node.children())));
  }

  constexpr bool equals(As<TopSet>, int) const { return exact(); }
  /// Where p is one-hot no other token passes, but for s = 0.
  constexpr bool lossless(bool one_hot_p) const { return exact() || (one_hot_p && single.num > 0); }

  Ratio threshold, single;

 private:
  constexpr bool exact() const { return threshold.num == threshold.den && single.num == single.den; }
};

}  // namespace draftgauge::rules
