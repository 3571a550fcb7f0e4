#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/top.h"
#include "sim/lossy/laws.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

inline constexpr ParameterCard lenience{.name = "lenience",
                                        .meaning = "l: 1 is lossless, smaller accepts more",
                                        .standard = {1, 2},
                                        .least = {1, 1000},
                                        .most = {1, 1}};

/// The token rule with p/(l·q) in its test and the residual as it is: no token's probability exceeds p/l.
/// Leviathan et al. 2023 (arXiv 2211.17192), Appendix A.5.
struct Lenient {
  static constexpr ParameterCard parameters[] = {lenience};
  static constexpr RuleCard card{.name = "lenient",
                                 .summary = "accept with probability min(1, p/(l·q)); output at most p/l",
                                 .source = "Leviathan et al. 2023, arXiv 2211.17192, Appendix A.5",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true;

  explicit constexpr Lenient(Parameters const& values) : l(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    bool const accepted = chance.flip(Weight(node.p(x) * Weight(l.den)), Weight(node.q(x) * Weight(l.num)));
    return accepted ? descend(0) : emit(chance.pick(node.residual()));
  }

  constexpr bool equals(As<TokenRule>, int) const { return l.num == l.den; }
  /// Where p is one-hot there is nothing left to forgive.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p || l.num == l.den; }

  /// α_l = Σ min(p/l, q).
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    return acceptance_at(row, Real(Real(l.num) / Real(l.den)));
  }
  /// The same at any l > 0.
  template <class Row, class Real>
  static Real acceptance_at(Row const& row, Real const& l) {
    return row.sum([&](Real const& p, Real const& q) { return p < Real(l * q) ? Real(p / l) : q; });
  }

  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    return emitted_law(row, [&](Token x) {
      return share_of(Real(Real(row.p(x)) * Real(l.den)), Real(Real(row.q(x)) * Real(l.num)));
    });
  }
  constexpr StatedBound stated() const {
    return {Stated::ratio_to_target, {l.den, l.num}, "no token's probability is above p/l"};
  }

  Ratio l;
};

/// Lenience at temperature 0: accept x while p(x) ≥ l·max p, before p is made one-hot (which would leave it nothing
/// to do), else emit argmax p. Leviathan et al. 2023 (arXiv 2211.17192), Appendix A.5.
struct LenientGreedy {
  static constexpr ParameterCard parameters[] = {lenience};
  static constexpr RuleCard card{.name = "lenient-greedy",
                                 .summary = "temperature 0: accept drafts with p(x) ≥ l·max p, else emit argmax p",
                                 .source = "Leviathan et al. 2023, arXiv 2211.17192, Appendix A.5",
                                 .drafter = "top",
                                 .lossless = false,
                                 .reference = Reference::argmax,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true;

  explicit constexpr LenientGreedy(Parameters const& values) : l(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance&, Node const& node) const {
    using Weight = typename Node::Weight;
    Token const best = node.argmax_p();
    if (node.children() == 0) return emit(best);
    Weight const enough = node.p(best) * Weight(l.num), here = node.p(node.child(0)) * Weight(l.den);
    return here < enough ? emit(best) : descend(0);
  }

  /// 1 or 0. In the row's own numbers, as the rule compares them: a conversion has other digits, and may turn a tie.
  template <class Row>
  auto acceptance(drafters::Top, Row const& row, int) const {
    using Weight = typename Row::Weight;
    Weight const enough = row.p(row.argmax_p()) * Weight(l.num), here = row.p(row.argmax_q()) * Weight(l.den);
    return typename Row::Real(here < enough ? 0 : 1);
  }

  Ratio l;
};

}  // namespace draftgauge::rules
