#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

inline constexpr ParameterCard aimed_bonus{.name = "bonus",
                                           .meaning = "1: the bonus token comes from what the rule aims at, 0: from p",
                                           .standard = {0, 1},
                                           .least = {0, 1},
                                           .most = {1, 1},
                                           .whole = true};

/// The token rule with π = w·p + (1 − w)·q in place of p: accept with probability min(1, π/q), else emit from (π − q)₊,
/// which is norm((p − q)₊). It emits tokens that p excludes. DIVERSED (a weight that a network gives; here it is
/// constant) draws the bonus token from p; papers on collaborative decoding draw it from π. transformers has it as
/// assistant_ensemble_weight.
struct Interpolation {
  static constexpr ParameterCard parameters[] = {{.name = "weight",
                                                  .meaning = "w: 1 is lossless, 0 emits the draft model's text",
                                                  .standard = {7, 10},
                                                  .least = {0, 1},
                                                  .most = {1, 1}},
                                                 aimed_bonus};
  static constexpr RuleCard card{.name = "interpolation",
                                 .summary = "the token rule with w·p + (1 − w)·q in place of p",
                                 .source = "DIVERSED; transformers, assistant_ensemble_weight",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;

  explicit constexpr Interpolation(Parameters const& values) : w(values.value[0]), bonus(values.value[1]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    Weight const of_p = Weight(w.num), whole = Weight(w.den);
    if (node.children() == 0) {
      bool const target = bonus.num == 0 || chance.flip(of_p, whole);
      return emit(target ? chance.pick(node.target()) : chance.pick(node.draft()));
    }
    Token const x = node.child(0);
    Weight const aim = Weight(of_p * node.p(x) + Weight(whole - of_p) * node.q(x));
    return chance.flip(aim, Weight(whole * node.q(x))) ? descend(0) : emit(chance.pick(node.residual()));
  }

  constexpr bool equals(As<TokenRule>, int) const { return w.num == w.den; }
  constexpr bool lossless(bool) const { return w.num == w.den; }

  /// Σ min(q, π) = w·β + 1 − w.
  template <class Row>
  auto acceptance(drafters::Sample drafts, Row const& row, int k) const {
    using Real = typename Row::Real;
    return Real((Real(w.num) * TokenRule::acceptance(drafts, row, k) + Real(w.den - w.num)) / Real(w.den));
  }

  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    return emitted_law(row, [&](Token x) {
      Real const q = Real(row.q(x)), whole = Real(w.den);
      return share_of(Real(Real(w.num) * Real(row.p(x)) + Real(w.den - w.num) * q), Real(whole * q));
    });
  }

  Ratio w, bonus;
};

}  // namespace draftgauge::rules
