#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Accept with probability min(1, p/q + t·(1 − max p)), else emit from (p − q)₊: the coin is forgiven more where the
/// target is unsure. A draft with p = 0 is accepted as well, so that tokens get out that top-k, top-p or a grammar forbid.
/// EARS, arXiv 2512.13194; its code for vLLM and Ascend compares u − tolerance with p/q where q > 0.
struct Ears {
  static constexpr ParameterCard parameters[] = {{.name = "tolerance",
                                                  .meaning = "t: 0 is lossless, larger accepts more",
                                                  .standard = {1, 2},
                                                  .least = {0, 1},
                                                  .most = {1, 1}}};
  static constexpr RuleCard card{.name = "ears",
                                 .summary = "accept with probability min(1, p/q + t·(1 − max p)), else from (p − q)₊",
                                 .source = "EARS, arXiv 2512.13194; vllm-ascend, VLLM_EARS_TOLERANCE",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;

  explicit constexpr Ears(Parameters const& values) : t(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    Real const p = Real(node.p(x)), q = Real(node.q(x));
    return chance.flip(Real(p + tolerance(node) * q), q) ? descend(0) : emit(chance.pick(node.residual()));
  }

  constexpr bool equals(As<TokenRule>, int) const { return t.num == 0; }
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p || t.num == 0; }

  /// Σ min(q, p + t·(1 − max p)·q).
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    Real const forgiven = tolerance(row);
    return row.sum([&](Real const& p, Real const& q) {
      Real const most = p + forgiven * q;
      return most < q ? most : q;
    });
  }

  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    Real const forgiven = tolerance(row);
    return emitted_law(row, [&](Token x) {
      Real const q = Real(row.q(x));
      return share_of(Real(Real(row.p(x)) + forgiven * q), q);
    });
  }

  Ratio t;

 private:
  template <class Node>
  DRAFTGAUGE_HD typename Node::Real tolerance(Node const& node) const {
    using Real = typename Node::Real;
    Real const unsure = Real(1) - Real(node.p(node.argmax_p())) / Real(node.total());
    return Real(Real(t.num) * unsure / Real(t.den));
  }
};

}  // namespace draftgauge::rules
