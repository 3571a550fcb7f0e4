#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/sample_without.h"
#include "sim/model/node.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Recursive rejection: test the children of a position in turn. Child s, drawn from d_i, is accepted with
/// probability min(1, r_i(s)/d_i(s)); after a rejection r_{i+1} = norm((r_i − d_i)₊), r_0 = p; if none is accepted emit
/// from the last r. d_i is the law that the drafter drew child i from, which is what makes it lossless.
/// With replacement: SpecInfer (arXiv 2305.09781), Algorithm 2. Without: Sequoia (arXiv 2402.12374), Algorithm 2.
///
/// With d_i = w/m_i, r_i is (p − b·w)₊ over its sum for a number b that a rejection raises (sim/rows/README.md). w is
/// q, m_i what is left of it; once nothing is, w is 1 for each token that q excludes, of which m_i are not drafted,
/// and b starts again from 0, since all tokens that q has are rejected then.
template <class Drafter>
struct Recursive {
  static constexpr bool with = std::is_same_v<Drafter, drafters::Sample>;
  static constexpr RuleCard card{.name = with ? "recursive" : "recursive-without",
                                 .summary = with ? "test k drafts in turn, each against what the residual still owes"
                                                 : "the same for k different drafts, drawn without replacement",
                                 .source = with ? "SpecInfer, Miao et al. 2023, arXiv 2305.09781, Algorithm 2"
                                                : "Sequoia, Chen et al. 2024, arXiv 2402.12374, Algorithm 2",
                                 .drafter = Drafter::card.name,
                                 .lossless = true,
                                 .many_children = true};
  static constexpr Shape shape = Shape::node;
  static constexpr AlongTree along_tree = AlongTree::residual;
  static constexpr bool reads_order = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Real const total = Real(node.total());
    Real taken = 0, left = 1;  // b, and Σ(p − b·w)₊
    bool rest = false;
    for (int i = 0; i < node.children(); ++i) {
      Token const s = node.child(i);
      auto const drawn_from = Drafter::mass(node, i);
      if (!rest && !(drawn_from > 0)) {
        rest = true;
        taken = 0;
      }
      Real const mass = rest ? Real(static_cast<int>(node.vocab()) - i) : Real(drawn_from) / total;
      Real const weight = rest ? Real(1) : Real(node.q(s)) / total;
      Real const owed = excess(Real(Real(node.p(s)) / total), Real(taken * weight));
      if (chance.flip(Real(owed * mass), Real(left * weight))) return descend(i);
      taken += left / mass;
      left = rest ? Real(node.excess_of_rest(Real(1), taken).total()) : Real(node.excess(Real(1), taken).total());
      if (!(left > 0)) return descend(i);  // r_i = d_i: the child was certain, but for the rounding of doubles
    }
    return emit(rest ? chance.pick(node.excess_of_rest(Real(1), taken)) : chance.pick(node.excess(Real(1), taken)));
  }

  static constexpr bool equals(As<TokenRule>, int k) { return k == 1; }

  /// 1 − P(all are rejected): a rejection leaves F(b_{i+1}) of F(b_i), F(b) = Σ(p − b·q)₊, and F(0) = 1.
  template <class Row>
  static auto acceptance(Drafter, Row const& row, int k) {
    using Real = typename Row::Real;
    return excess(Real(1), rejected(row, k));
  }

 private:
  template <class Row>
  static typename Row::Real rejected(Row const& row, int k) {
    using Real = typename Row::Real;
    if constexpr (with) {
      Real taken = 0, left = 1;
      for (int i = 0; i < k && left > 0; ++i) {
        taken += left;
        left = row.excess(Real(1), taken).total();
      }
      return left;
    } else {
      if (k < row.support()) {
        auto orders = row.orders(k);
        return rejected(row, orders, Real(1), Real(0), Real(1));
      }
      Real const rest = row.excess_of_rest(Real(1), Real(0)).total();
      if (k == row.support() || !(rest > 0)) return rest;
      return rest * rejected(row.rest(), k - row.support());
    }
  }

  /// Σ over the drafts that may follow those of `orders`, of which this order was drawn and rejected with
  /// `probability`. A rejected draft has nothing left in the residual, so that b and F(b) need not know which they
  /// were.
  template <class Row, class Orders, class Real>
  static Real rejected(Row const& row, Orders& orders, Real const& probability, Real const& taken, Real const& left) {
    Real const mass = orders.left(), next = taken + left / mass;
    Real const next_left = row.excess(Real(1), next).total();
    if (!(next_left > 0)) return Real(0);
    if (orders.last()) return probability * next_left / left;
    Real sum = 0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (orders.has(i)) continue;
      Real const residual = excess(orders.p(i), Real(taken * orders.q(i))) / left;
      Real const turned_down = excess(Real(orders.q(i) / mass), residual);
      if (!(turned_down > 0)) continue;
      orders.draw(i);
      sum += rejected(row, orders, Real(probability * turned_down), next, next_left);
      orders.put_back();
    }
    return sum;
  }
};

}  // namespace draftgauge::rules
