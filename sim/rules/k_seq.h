#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/model/row_constant.h"
#include "sim/rules/token.h"
#include "sim/rules/within.h"

namespace draftgauge::rules {

/// k-SEQ: test k independent drafts in turn against p/ρ, each with probability min(1, p/(ρ·q)); if none is accepted
/// emit from p − min(q, p/ρ)·(1 − (1 − β)^k)/β, β(ρ) = Σ min(q, p/ρ), which is what p still owes. That is a law for
/// every ρ ≥ ρ*, the root of 1 − (1 − β)^k = ρ·β in [1, k]; ρ* accepts most. SpecTr, Sun et al. 2023 (arXiv
/// 2310.15141), Algorithm 3 and Appendix D. In fractions ρ is at most 2^-40 above ρ* and never below it; in doubles
/// as near as they are.
///
/// ρ·min(q, p/ρ) = p − (p − ρ·q)₊, so that with s = (1 − (1 − β)^k)/(ρ·β) ≤ 1 what p owes is (1 − s)·p + s·(p −
/// ρ·q)₊, and ρ·β = 1 − Σ(p − ρ·q)₊.
struct KSeq {
  static constexpr RuleCard card{.name = "k-seq",
                                 .summary = "test k drafts in turn against p/ρ, with the least ρ that is lossless",
                                 .source = "SpecTr, Sun et al. 2023, arXiv 2310.15141, Algorithm 3",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .many_children = true};
  static constexpr Shape shape = Shape::node;
  static constexpr bool has_row_constant = true, reads_order = true;

  /// Two numbers between which ρ* lies: the second is lossless.
  template <class Real>
  struct Bracket {
    Real low, high;
  };
  template <class Node>
  static auto rho(Node const& node, int branching) {
    using Real = typename Node::Real;
    Real low = 1, high = branching;
    if (branching == 1) return Bracket<Real>{low, low};
    for (int halving = 0; halving < 45; ++halving) {  // (k − 1)·2^-45 < 2^-40 for k ≤ 32
      Real const middle = (low + high) / 2;
      Real const beta = of_one(node, middle);
      (within_k(beta, branching) > middle * beta ? low : high) = middle;
    }
    return Bracket<Real>{low, high};
  }
  template <class Node>
  static typename Node::Real row_constant(Node const& node, int branching) {
    return rho(node, branching).high;
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Real const rho = node.constant();
    for (int i = 0; i < node.children(); ++i) {
      Token const x = node.child(i);
      if (chance.flip(Real(node.p(x)), Real(rho * Real(node.q(x))))) return descend(i);
    }
    auto const above = node.excess(Real(1), rho);
    Real const beta = (Real(1) - above.total()) / rho;
    Real const share = beta > 0 ? Real(within_k(beta, node.children()) / (rho * beta)) : Real(0);
    Real const even = excess(Real(1), share);
    bool const any = chance.flip(even, Real(even + share * above.total()));
    return emit(any ? chance.pick(node.target()) : chance.pick(above));
  }

  static constexpr bool equals(As<TokenRule>, int k) { return k == 1; }

  /// 1 − (1 − β(ρ))^k. SpecTr, Theorem 2.
  template <class Row>
  static auto acceptance(drafters::Sample, Row const& row, int k) {
    return acceptance_at(row, k, row_constant(row, k));
  }
  /// The same at any ρ in [1, k].
  template <class Row, class Real>
  static Real acceptance_at(Row const& row, int k, Real const& rho) {
    return within_k(of_one(row, rho), k);
  }
  /// Whether ρ is ρ*.
  template <class Row, class Real>
  static bool solves(Row const& row, int k, Real const& rho) {
    return acceptance_at(row, k, rho) == rho * of_one(row, rho);
  }

 private:
  /// β(ρ)
  template <class Node, class Real>
  DRAFTGAUGE_HD static Real of_one(Node const& node, Real const& rho) {
    return (Real(1) - node.excess(Real(1), rho).total()) / rho;
  }
};

}  // namespace draftgauge::rules
