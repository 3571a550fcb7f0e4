#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/top_then_sample.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Drafts are the k − 1 tokens A that q likes best and one x drawn from d = q outside of A. Accept x with probability
/// min(1, p/d); else draw from norm((p − d)₊), where d is 0 on A, and accept that token if it is in A. All of p(A) is
/// accepted so, beside Σ_{x∉A} min(p, d). For k = 2 SpecHub, Sun et al. 2024 (arXiv 2411.05289); for k = 1 the token
/// rule.
///
/// Where d = w/m (sim/rules/recursive.h says which w), (p − d)₊ is (p − w/m)₊ and, on A, what that leaves out of p.
struct SpecHub {
  static constexpr RuleCard card{.name = "spechub",
                                 .summary = "test the one sampled draft first, then draw from what p still owes",
                                 .source = "SpecHub, Sun et al. 2024, arXiv 2411.05289",
                                 .drafter = drafters::TopThenSample::card.name,
                                 .lossless = true,
                                 .many_children = true};
  static constexpr Shape shape = Shape::node;
  static constexpr bool reads_order = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    int const last = node.children() - 1;
    Real const total = Real(node.total());
    auto const drawn_from = drafters::SampleWithout::mass(node, last);
    if (drawn_from > 0) {
      Real const each = total / Real(drawn_from);
      return decide(chance, node, node.excess(Real(1), each),
                    [&](Token x) { return Real(each * Real(node.q(x)) / total); });
    }
    Real const each = Real(1) / Real(static_cast<int>(node.vocab()) - last);
    return decide(chance, node, node.excess_of_rest(Real(1), each),
                  [&](Token x) { return node.q(x) > 0 ? Real(1) : each; });
  }

  static constexpr bool equals(As<TokenRule>, int k) { return k == 1; }

  /// p(A) + Σ_{x∉A} min(p, d), what optimal transport accepts of such drafts. Hu et al. 2025 (arXiv 2502.18779).
  template <class Row>
  static auto acceptance(drafters::TopThenSample, Row const& row, int k) {
    using Real = typename Row::Real;
    if (k - 1 < row.support()) {
      Real mass =
          row.sum([](Real const&, Real const& q) { return q; });  // what A leaves may be less than rounding of 1
      for (int i = 0; i + 1 < k; ++i) mass -= Real(row.q(row.top_q(i)));
      Real const each = Real(1) / mass;
      return accepted(row, k, row.excess(Real(1), each).total(),
                      [&](Token x) { return Real(each * Real(row.q(x))); });
    }
    Real const each = Real(1) / Real(static_cast<int>(row.vocab()) - k + 1);
    return accepted(row, k, row.excess_of_rest(Real(1), each).total(),
                    [&](Token x) { return row.q(x) > 0 ? Real(1) : each; });
  }

 private:
  /// 1 − Σ_{x∉A} (p − w/m)₊, of which `owed` is the sum over all tokens.
  template <class Row, class Real, class Taken>
  static Real accepted(Row const& row, int k, Real owed, Taken const& taken) {
    for (int i = 0; i + 1 < k; ++i) {
      Token const x = row.top_q(i);
      owed -= excess(Real(row.p(x)), taken(x));
    }
    return excess(Real(1), owed > 0 ? owed : Real(0));
  }
  /// owed: (p − w/m)₊; taken(x): w(x)/m, where w has no bound any number ≥ p(x). Of a token of A with a bounded w a
  /// part of p is in `owed`, and the rest is min(p, w/m).
  template <class Chance, class Node, class Owed, class Taken>
  DRAFTGAUGE_HD static Step decide(Chance& chance, Node const& node, Owed const& owed, Taken const& taken) {
    using Real = typename Node::Real;
    int const last = node.children() - 1;
    auto const p = [&](Token x) { return Real(Real(node.p(x)) / Real(node.total())); };
    if (Token const x = node.child(last); chance.flip(p(x), taken(x))) return descend(last);
    Real up_to[max_children];  // what is owed outside of A, and then with each token of A beside it
    Real sum = owed.total();
    for (int i = 0; i < last; ++i) {
      Token const x = node.child(i);
      Real const on = p(x), there = taken(x);
      sum += on < there ? on : there;
      up_to[i] = sum;
    }
    for (int i = last - 1; i >= 0; --i) {
      Real const without = i > 0 ? up_to[i - 1] : Real(owed.total());
      if (chance.flip(Real(up_to[i] - without), up_to[i])) return descend(i);
    }
    Token const y = chance.pick(owed);
    int const i = candidate_that_is(y, node, last);
    return i >= 0 ? descend(i) : emit(y);
  }
};

}  // namespace draftgauge::rules
