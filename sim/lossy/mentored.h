#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"
#include "sim/rows/ratio_row.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Accept with probability min(1, a·p/q), else emit from (b·p − q)₊, where b ≤ 1 makes the output median(b·p, q, a·p) sum
/// to 1. Where p > 0 for all drafts, no rule with this KL to p, either way, accepts more, nor with this value of any other
/// f-divergence (docs/lossy.md). Its author asks for a KL budget and finds a by bisection; here a is given.
/// Tran-Thien 2023, An optimal lossy variant of speculative decoding.
struct Mentored {
  static constexpr ParameterCard parameters[] = {{.name = "a",
                                                  .meaning = "1 is lossless, larger accepts more",
                                                  .standard = {2, 1},
                                                  .least = {1, 1},
                                                  .most = {1000, 1}}};
  static constexpr RuleCard card{
      .name = "mentored",
      .summary = "accept with probability min(1, a·p/q); output median(b·p, q, a·p), the best trade at one position",
      .source = "mentored decoding, Tran-Thien 2023, github.com/vivien000/mentored_decoding",
      .drafter = "sample",
      .lossless = false,
      .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool reads_order = true;

  explicit constexpr Mentored(Parameters const& values) : a(values.value[0]) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    using Real = typename Node::Real;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    if (chance.flip(Weight(node.p(x) * Weight(a.num)), Weight(node.q(x) * Weight(a.den)))) return descend(0);
    Real const factor = Real(a.num) / Real(a.den);
    // Σ(q − a·p)₊ is what the rejections leave to be emitted.
    Real const owed = node.excess(factor, Real(1)).total() + (Real(1) - factor);
    if (!(owed > Real(0))) return emit(chance.pick(node.residual()));  // what rounding may come to
    Real const b = level(node.order(), node.vocab(), Real(node.total()), owed);
    return emit(chance.pick(node.excess(b, Real(1))));
  }

  constexpr bool equals(As<TokenRule>, int) const { return a.num == a.den; }
  /// Where p is one-hot, a·p is 0 for all other tokens.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p || a.num == a.den; }

  /// Σ min(q, a·p).
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    Real const factor = Real(Real(a.num) / Real(a.den));
    return row.sum([&](Real const& p, Real const& q) { return Real(factor * p) < q ? Real(factor * p) : q; });
  }

  /// median(b·p, q, a·p).
  template <class Row>
  auto emits(drafters::Sample drafts, Row const& row) const {
    using Real = typename Row::Real;
    Real const factor = Real(Real(a.num) / Real(a.den)), owed = Real(1) - acceptance(drafts, row, 1);
    Real const b = owed > Real(0) ? level(RankedSums<Real>(row), row.vocab(), Real(1), owed) : Real(0);
    return emitted_law(
        row, [&](Token x) { return share_of(Real(factor * Real(row.p(x))), Real(row.q(x))); },
        [&](Token x) { return excess(Real(b * Real(row.p(x))), Real(row.q(x))); });
  }
  constexpr StatedBound stated() const {
    return {Stated::ratio_to_target, a, "no token's probability is above a·p"};
  }

  /// The b at which Σ(b·p − q)₊ is the sum asked for. Over the first places of the order, by falling p/q, the sum at the
  /// next place's own q/p grows, so that bisection finds the places with b·p > q. `whole`: what p and q add up
  /// to in the order. Domain: 0 < sum ≤ Σ(p − q)₊.
  template <class Order, class Real>
  DRAFTGAUGE_HD static Real level(Order const& order, std::uint32_t vocab, Real const& whole, Real const& sum) {
    std::uint32_t const places = RatioRow::first_place({0, vocab}, [&](std::uint32_t place) {
      auto const before = order.sums(place);
      auto const here = order.weights(place);
      Real const p = Real(here.p);
      return !(Real(here.q) * Real(before.p) - Real(before.q) * p < sum * whole * p);
    });
    auto const above = order.sums(places);
    return Real(sum * whole + Real(above.q)) / Real(above.p);
  }

  Ratio a;
};

}  // namespace draftgauge::rules
