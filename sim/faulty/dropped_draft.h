#pragma once
#include "sim/policies/threshold.h"
#include "sim/rules/token.h"

namespace draftgauge::faulty {

/// Throws a draft away because q(x) is below a threshold, so that the token emitted in its place owes nothing to the
/// rejection that should have come first. To stop after the draft and keep it is lossless (--policy stop-below).
struct DroppedDraft {
  static constexpr ParameterCard parameters[] = {{.name = "threshold",
                                                  .meaning = "the probability below which a draft is thrown away",
                                                  .standard = {1, 5},
                                                  .least = {0, 1},
                                                  .most = {1, 1}}};
  static constexpr Counterexample counterexample{.shows = {.p = "5/6,1/6", .q = "5/6,1/6"},
                                                 .distance = "5/36",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "2/3,1/3"},
                                                 .why = "no draft is below the threshold"};
  static constexpr RuleCard card{.name = "faulty/dropped-draft",
                                 .summary = "throw drafts with q(x) below a threshold away, then emit from p",
                                 .source = "against Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1",
                                 .drafter = "sample",
                                 .parameters = parameters,
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  explicit constexpr DroppedDraft(Parameters const& values) : threshold(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() > 0 && policies::below<Weight>(threshold, node.q(node.child(0)), node.total()))
      return emit(chance.pick(node.target()));
    return rules::TokenRule{}(chance, node);
  }

  Ratio threshold;
};

}  // namespace draftgauge::faulty
