#pragma once
#include <algorithm>
#include <vector>

#include "sim/chance/entropy.h"
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// For a drafted n let h = min(1, p(n) + √(2δ·p(n)·(1 − p(n)))): accept with probability min(1, h/q(n)), else emit from
/// (h⁽ⁿ⁾ − q)₊, where h⁽ⁿ⁾ is h at n and p·(1 − h)/(1 − p(n)) elsewhere. Cactus, arXiv 2604.04987 (ICLR 2026).
///
/// Its KL ≤ δ is said of each h⁽ⁿ⁾, to second order. What is emitted mixes them, one for each token that may be drafted,
/// and its KL to p has no bound that is a multiple of δ: 2V − 3 times δ is approached (docs/lossy.md).
struct Cactus {
  static constexpr ParameterCard parameters[] = {{.name = "delta",
                                                  .meaning = "δ: 0 is lossless, larger accepts more",
                                                  .standard = {1, 10},
                                                  .least = {0, 1},
                                                  .most = {10, 1}}};
  static constexpr RuleCard card{.name = "cactus",
                                 .summary = "accept n with probability min(1, (p + √(2δ·p·(1 − p)))/q), p reweighted",
                                 .source = "Cactus, arXiv 2604.04987",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool reads_order = true, irrational = true;

  explicit constexpr Cactus(Parameters const& values) : delta(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const n = node.child(0);
    Real const whole = Real(node.total()), p = Real(node.p(n)) / whole, h = raised(p);
    if (chance.flip(h, Real(Real(node.q(n)) / whole))) return descend(0);
    return emit(chance.pick(node.excess(Real((Real(1) - h) / (Real(1) - p)), Real(1))));  // nothing of it is at n
  }

  constexpr bool equals(As<TokenRule>, int) const { return delta.num == 0; }
  /// Where p is one-hot, h = p.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p || delta.num == 0; }

  /// Σ min(q, h).
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    return row.sum([&](Real const& p, Real const& q) {
      Real const h = raised(p);
      return h < q ? h : q;
    });
  }

  /// A mixture over the rejected n: of each its share of (h⁽ⁿ⁾ − q)₊, which is s·p − q on the first tokens by falling p/q.
  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    RankedSums<Real> const ranked(row);
    auto const& order = ranked.tokens();
    std::vector<Real> law(row.vocab()), of_p(order.size() + 1), of_q(order.size() + 1);
    for (Token n = 0; n < row.vocab(); ++n) {
      Real const own = Real(row.p(n)), h = raised(own), drafted = Real(row.q(n));
      law[n] = std::min(drafted, h);
      if (!(h < drafted)) continue;
      Real const s = (Real(1) - h) / (Real(1) - own);
      auto const end = std::ranges::partition_point(
          order, [&](Token x) { return Real(row.q(x)) < s * Real(row.p(x)); });
      auto const tokens = static_cast<std::size_t>(end - order.begin());
      Real const each = (drafted - h) / (s * ranked.sums(tokens).p - ranked.sums(tokens).q);
      of_p[tokens] += each * s;
      of_q[tokens] += each;
    }
    Real by_p(0), by_q(0);
    for (std::size_t place = row.vocab(); place-- > 0;) {
      by_p += of_p[place + 1];
      by_q += of_q[place + 1];
      Token const x = order[place];
      law[x] += by_p * Real(row.p(x)) - by_q * Real(row.q(x));
    }
    return law;
  }
  constexpr StatedBound stated() const { return {Stated::kl_to_target, delta, "KL(output ‖ p) ≤ δ"}; }

  Ratio delta;

 private:
  template <class Real>
  DRAFTGAUGE_HD Real raised(Real const& p) const {
    Real const h = p + square_root<Real>(Real(Real(2) * Real(delta.num) * p * (Real(1) - p) / Real(delta.den)));
    return h < Real(1) ? h : Real(1);
  }
};

}  // namespace draftgauge::rules
