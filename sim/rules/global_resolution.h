#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/rules/order_plan.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Accept one of k independent drafts as often as any lossless rule can: 1 + min_H (p(H) − q(H)^k) (Khisti et al. 2024,
/// arXiv 2410.18234). Global Resolution, arXiv 2511.15898, has the same acceptance by convex minimisation; here it is a
/// mixture of orders of the tokens (sim/rules/order_plan.h), made anew at each node. Small tables, on the host.
struct GlobalResolution {
  static constexpr RuleCard card{.name = "global-resolution",
                                 .summary = "accept one of k drafts as often as any lossless rule can (V ≤ 64)",
                                 .source = "optimal multi-draft sampling, arXiv 2511.15898, by mixed orders",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .many_children = true};
  static constexpr Shape shape = Shape::node;
  static constexpr bool host_only = true;
  static constexpr std::uint32_t most_vocab = 64;  ///< where there are several children

  template <class Chance, class Node>
  Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    if (node.children() <= 1) return TokenRule()(chance, node);
    std::vector<Real> p, q;
    for (Token x = 0; x < node.vocab(); ++x) {
      p.push_back(Real(node.p(x)) / Real(node.total()));
      q.push_back(Real(node.q(x)) / Real(node.total()));
    }
    OrderPlan<Real> const plan(p, q, node.children());
    auto const& orders = plan.orders();
    Token const drawn = chance.pick(
        Weights{static_cast<std::uint32_t>(orders.size()), [&](Token i) { return orders[i].weight; }});
    for (Token const y : orders[drawn].tokens)
      if (int const i = candidate_that_is(y, node, node.children()); i >= 0) return descend(i);
    if (!(plan.accepted() < Real(1))) return emit(chance.pick(node.target()));  // what rounding may come to
    return emit(chance.pick(Weights{node.vocab(), [&](Token x) { return plan.left()[x]; }}));
  }

  static constexpr bool equals(As<TokenRule>, int k) { return k == 1; }

  /// 1 + min_H (p(H) − q(H)^k), H being a prefix of the tokens by rising p/q.
  template <class Row>
  static auto acceptance(drafters::Sample, Row const& row, int k) {
    using Real = typename Row::Real;
    std::vector<Token> tokens;
    for (Token x = 0; x < row.vocab(); ++x)
      if (row.q(x) > 0) tokens.push_back(x);
    std::ranges::sort(tokens, [&](Token a, Token b) { return row.p(a) * row.q(b) < row.p(b) * row.q(a); });
    Real p = 0, q = 0, least = 0;
    for (Token const x : tokens) {
      p += Real(row.p(x));
      q += Real(row.q(x));
      Real all = q;
      for (int i = 1; i < k; ++i) all = all * q;
      least = std::min(least, Real(p - all));
    }
    return Real(Real(1) + least);
  }
};

}  // namespace draftgauge::rules
