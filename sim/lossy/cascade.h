#pragma once
#include <vector>

#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Accept whatever is drafted, unless the position is left to the target, where Algorithm 1 verifies. What decides that
/// is a function of the row: `Defers` gives the card and says it. So the output at one row is q or p, nothing between.
/// Narasimhan et al. 2025 (ICLR), Faster Cascades via Speculative Decoding, and what came after it. Their paper draws
/// the bonus token from its mixture, engines from p, as here.
template <class Defers>
struct Cascade {
  static constexpr ParameterCard parameters[] = {Defers::parameter};
  static constexpr RuleCard card{.name = Defers::name,
                                 .summary = Defers::summary,
                                 .source = Defers::source,
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true, has_row_constant = true;

  explicit constexpr Cascade(Parameters const& values) : alpha(values.value[0]) {}

  /// 1 where the target decides, else 0.
  template <class Node>
  typename Node::Real row_constant(Node const& node, int) const {
    return typename Node::Real(Defers::defers(node, alpha) ? 1 : 0);
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Weight = typename Node::Weight;
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    // A flip in all rows, certain in some: tables of thresholds (sim/fast) number flips alike.
    Weight const q = node.q(x), p = node.constant() < typename Node::Real(1) ? q : Weight(node.p(x));
    return chance.flip(p, q) ? descend(0) : emit(chance.pick(node.residual()));
  }

  /// β, or 1.
  template <class Row>
  auto acceptance(drafters::Sample drafts, Row const& row, int k) const {
    using Real = typename Row::Real;
    return Defers::defers(row, alpha) ? Real(TokenRule::acceptance(drafts, row, k)) : Real(1);
  }

  /// p, or q.
  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    bool const target = Defers::defers(row, alpha);
    std::vector<Real> law;
    for (Token x = 0; x < row.vocab(); ++x) law.push_back(Real(target ? row.p(x) : row.q(x)));
    return law;
  }

  Ratio alpha;
};

namespace cascades {

/// Whether a < b − α, all of them times the ratio's denominator and the row's total, so that integers stay such.
template <class Weight>
bool falls_short(Weight const& a, Weight const& b, Ratio const& alpha, Weight const& total) {
  Weight const less = Weight(total * Weight(alpha.num)), own = Weight(a * Weight(alpha.den)),
               other = Weight(b * Weight(alpha.den));
  return alpha.negative ? own < Weight(other + less) : Weight(own + less) < other;
}

constexpr ParameterCard parameter(Ratio standard) {
  return {.name = "alpha",
          .meaning = "α: what the target's answer may cost; larger accepts more",
          .standard = standard,
          .least = {1, 1, true},
          .most = {1, 1}};
}

struct Chow {
  static constexpr ParameterCard parameter = cascades::parameter({3, 10});
  static constexpr std::string_view name = "chow",
                                    summary = "accept any draft unless max q < 1 − α, where the token rule decides",
                                    source = "Narasimhan et al. 2025, arXiv 2405.19261, Equation 2";
  template <class Node>
  static bool defers(Node const& node, Ratio const& alpha) {
    using Weight = typename Node::Weight;
    return falls_short(Weight(node.q(node.argmax_q())), Weight(node.total()), alpha, Weight(node.total()));
  }
};

struct Diff {
  static constexpr ParameterCard parameter = cascades::parameter({1, 5});
  static constexpr std::string_view name = "diff",
                                    summary = "the same unless max q < max p − α",
                                    source = "Narasimhan et al. 2025, arXiv 2405.19261, Equation 5";
  template <class Node>
  static bool defers(Node const& node, Ratio const& alpha) {
    using Weight = typename Node::Weight;
    return falls_short(Weight(node.q(node.argmax_q())), Weight(node.p(node.argmax_p())), alpha,
                       Weight(node.total()));
  }
};

struct Opt {
  static constexpr ParameterCard parameter = cascades::parameter({3, 10});
  static constexpr std::string_view name = "opt",
                                    summary = "the same unless max q < max p − α·TV(p, q)",
                                    source = "Narasimhan et al. 2025, arXiv 2405.19261, Equation 10";
  template <class Node>
  static bool defers(Node const& node, Ratio const& alpha) {
    auto const p = shares_of_p(node), q = shares_of_q(node);
    Share<Node> distance(0);
    for (std::size_t x = 0; x < p.size(); ++x) distance += excess(p[x], q[x]);
    Share<Node> const part = Share<Node>(alpha.num) * distance / Share<Node>(alpha.den);
    auto const best_q = q[node.argmax_q()], best_p = p[node.argmax_p()];
    return alpha.negative ? best_q < best_p + part : best_q + part < best_p;
  }
};

/// The Jensen–Shannon divergence in nats, of the divergences that its paper offers the one that it settles on.
struct Fuzzy {
  static constexpr ParameterCard parameter{.name = "threshold",
                                           .meaning = "the divergence, in nats, from which the target decides",
                                           .standard = {1, 20},
                                           .least = {0, 1},
                                           .most = {1, 1}};
  static constexpr std::string_view name = "fuzzy",
                                    summary = "the same while the Jensen–Shannon divergence is below a threshold",
                                    source = "fuzzy speculative decoding, Holsman et al. 2025, arXiv 2502.20704";
  template <class Node>
  static bool defers(Node const& node, Ratio const& threshold) {
    auto const p = shares_of_p(node), q = shares_of_q(node);
    std::vector<Share<Node>> middle;
    for (std::size_t x = 0; x < p.size(); ++x) middle.push_back((p[x] + q[x]) / 2);
    Share<Node> const divergence = entropy(middle) - (entropy(p) + entropy(q)) / 2;
    return !(divergence * threshold.den < Share<Node>(threshold.num));
  }
};

}  // namespace cascades

}  // namespace draftgauge::rules
