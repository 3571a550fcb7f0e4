#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"

namespace draftgauge::rules {

/// Accept a draft that is among the n most likely tokens of p, or as likely as the last of them; else emit from (1 − q)
/// on those tokens. p decides which tokens may come, and not how often.
struct TopN {
  static constexpr ParameterCard parameters[] = {{.name = "n",
                                                  .meaning = "of p's most likely tokens",
                                                  .standard = {2, 1},
                                                  .least = {1, 1},
                                                  .most = {1000, 1},
                                                  .whole = true}};
  static constexpr RuleCard card{.name = "top-n",
                                 .summary = "accept drafts of p's top n, else emit from 1 − q on those",
                                 .source = "a baseline in the code of Cactus, arXiv 2604.04987",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool has_row_constant = true;

  explicit constexpr TopN(Parameters const& values) : n(values.value[0]) {}

  /// p of the n-th most likely token, in the row's units.
  template <class Node>
  typename Node::Real row_constant(Node const& node, int) const {
    return typename Node::Real(node.p(most_likely_of_p(node, n.num).back()));
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Real const last = node.constant();
    auto const passes = [&](Token x) { return !(Real(node.p(x)) < last); };
    if (passes(node.child(0))) return descend(0);
    return emit(chance.pick(Weights{
        node.vocab(), [&](Token x) { return passes(x) ? Real(Real(node.total()) - Real(node.q(x))) : Real(0); }}));
  }

  /// Of p that is one-hot the other tokens are alike.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p && n.num == 1; }

  /// q of the drafts that pass.
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    auto const last = row.p(most_likely_of_p(row, n.num).back());
    Real sum = 0;
    for (Token x = 0; x < row.vocab(); ++x)
      if (!(row.p(x) < last)) sum += Real(row.q(x));
    return sum;
  }

  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    auto const last = row.p(most_likely_of_p(row, n.num).back());
    auto const passes = [&](Token x) { return !(row.p(x) < last); };
    return emitted_law(
        row, [&](Token x) { return Real(passes(x) ? 1 : 0); },
        [&](Token x) { return passes(x) ? Real(Real(1) - Real(row.q(x))) : Real(0); });
  }

  Ratio n;
};

}  // namespace draftgauge::rules
