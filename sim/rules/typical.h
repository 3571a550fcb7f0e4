#pragma once
#include <vector>

#include "sim/card.h"
#include "sim/drafters/top.h"
#include "sim/entropy.h"
#include "sim/row_constant.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// Accept x if p(x) > min(ε, δ·exp(−H(p))), whatever q was: no coin, and drafts that are likely enough pass. Then, as after
/// the last draft, a token from p. Medusa, Cai et al. 2024 (arXiv 2401.10774), Section 2.3.1. At temperature 0 (p one-hot)
/// it is exact match.
///
/// Medusa's repository differs: the first token of a round is argmax p at any temperature and not drawn from p, H takes the
/// logarithm of p + 10^-5, and of a tree the longest accepted path wins, the likelier of equals. δ does not follow ε here.
struct Typical {
  static constexpr ParameterCard parameters[] = {
      {.name = "epsilon",
       .meaning = "ε: the threshold where p is sure of itself",
       .standard = {9, 100},
       .least = {0, 1},
       .most = {1, 1}},
      {.name = "delta",
       .meaning = "δ: the share of exp(−H(p)) where it is not; the paper: √ε",
       .standard = {3, 10},
       .least = {0, 1},
       .most = {1, 1}}};
  static constexpr RuleCard card{.name = "typical",
                                 .summary = "accept if p(x) > min(ε, δ·exp(−H(p))), then emit from p",
                                 .source = "Medusa, Cai et al. 2024, arXiv 2401.10774, Section 2.3.1",
                                 .drafter = "top",
                                 .lossless = false,
                                 .many_candidates = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true, has_row_constant = true;

  explicit constexpr Typical(Parameters const& values) : epsilon(values.value[0]), delta(values.value[1]) {}

  template <class Node>
  static typename Node::Real row_constant(Node const& node, int) {
    return certainty<typename Node::Real>(node);
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.candidates() == 0 || !stands(node, node.candidate(0))) return emit(chance.pick(node.target()));
    return descend(0);
  }

  /// Where p is one-hot no other token exceeds a threshold.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p; }

  /// 1 or 0, in the row's own numbers (sim/rules/lenient.h).
  template <class Row>
  auto acceptance(drafters::Top, Row const& row, int) const {
    using Number = typename Row::Weight;
    return typename Row::Real(exceeds(Number(row.p(row.argmax_q())), certainty<Number>(row)) ? 1 : 0);
  }

  Ratio epsilon, delta;

 private:
  /// exp(−H(p))
  template <class Real, class Node>
  static Real certainty(Node const& node) {
    std::vector<Real> p;
    for (Token x = 0; x < node.vocab(); ++x) p.push_back(Real(node.p(x)) / Real(node.total()));
    return inverse_perplexity(p);
  }
  template <class Real>
  DRAFTGAUGE_HD bool exceeds(Real const& p, Real const& sure) const {
    return Real(epsilon.num) < p * Real(epsilon.den) || sure * Real(delta.num) < p * Real(delta.den);
  }
  template <class Node>
  DRAFTGAUGE_HD bool stands(Node const& node, Token x) const {
    using Real = typename Node::Real;
    return exceeds(Real(Real(node.p(x)) / Real(node.total())), node.constant());
  }
};

}  // namespace draftgauge::rules
