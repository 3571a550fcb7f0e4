#pragma once
#include <vector>

#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/interpolation.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// The token rule with π = q on the tokens of a set K and q(not K)·p in place of p: a draft of K is accepted, the others
/// are left to the target. `Kept` gives the card and says which tokens K has. Narasimhan et al. 2025 (ICLR, arXiv
/// 2405.19261), whose notebook (google-research, speculative_cascades) has the same sets.
template <class Kept>
struct TokenCascade {
  static constexpr ParameterCard parameters[] = {{.name = "alpha",
                                                  .meaning = "α: larger accepts more",
                                                  .standard = Kept::standard,
                                                  .least = {0, 1},
                                                  .most = {1, 1}},
                                                 aimed_bonus};
  static constexpr RuleCard card{.name = Kept::name,
                                 .summary = Kept::summary,
                                 .source = Kept::source,
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool has_row_constant = true;

  explicit constexpr TokenCascade(Parameters const& values) : alpha(values.value[0]), bonus(values.value[1]) {}

  /// q(not K).
  template <class Node>
  typename Node::Real row_constant(Node const& node, int) const {
    using Real = typename Node::Real;
    auto const best = node.p(node.argmax_p());
    Real rest = 0;
    for (Token x = 0; x < node.vocab(); ++x)
      if (!Kept::has(node, x, best, alpha)) rest += Real(node.q(x));
    return rest / Real(node.total());
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    using Real = typename Node::Real;
    auto const best = node.p(node.argmax_p());
    if (node.children() == 0) {
      if (bonus.num == 0) return emit(chance.pick(node.target()));
      Token const y = chance.pick(node.draft());
      return emit(Kept::has(node, y, best, alpha) ? y : chance.pick(node.target()));
    }
    Token const x = node.child(0);
    if (Kept::has(node, x, best, alpha)) return descend(0);
    Real const rest = node.constant();
    if (chance.flip(Real(rest * Real(node.p(x))), Real(node.q(x)))) return descend(0);
    return emit(chance.pick(Weights{node.vocab(), [&](Token y) {
                                      Real const share = rest * Real(node.p(y));
                                      return Kept::has(node, y, best, alpha) ? share : excess(share, Real(node.q(y)));
                                    }}));
  }

  /// Σ min(q, π).
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    auto const best = row.p(row.argmax_p());
    Real const rest = row_constant(row, 1);
    Real sum = 0;
    for (Token x = 0; x < row.vocab(); ++x) {
      Real const share = rest * Real(row.p(x)), q = Real(row.q(x));
      sum += Kept::has(row, x, best, alpha) || q < share ? q : share;
    }
    return sum;
  }

  /// π.
  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    auto const best = row.p(row.argmax_p());
    Real const rest = row_constant(row, 1);
    std::vector<Real> law;
    for (Token x = 0; x < row.vocab(); ++x)
      law.push_back(Real(rest * Real(row.p(x)) + (Kept::has(row, x, best, alpha) ? Real(row.q(x)) : Real(0))));
    return law;
  }

  Ratio alpha, bonus;
};

namespace cascades {

/// Whether a weight is at least max p − α; `best` is max p.
template <class Weight>
DRAFTGAUGE_HD bool is_near_best(Weight const& weight, Weight const& best, Weight const& total, Ratio const& alpha) {
  return !(Weight(weight * Weight(alpha.den) + total * Weight(alpha.num)) < Weight(best * Weight(alpha.den)));
}

struct TokenV1 {
  static constexpr Ratio standard{1, 5};
  static constexpr std::string_view name = "token-v1",
                                    summary = "accept drafts with q(x) ≥ max p − α, others against q(of these)·p",
                                    source = "Narasimhan et al. 2025, arXiv 2405.19261, Equation 13";
  template <class Node, class Weight>
  DRAFTGAUGE_HD static bool has(Node const& node, Token x, Weight const& best, Ratio const& alpha) {
    return is_near_best(Weight(node.q(x)), best, Weight(node.total()), alpha);
  }
};

struct TokenV2 {
  static constexpr Ratio standard{1, 5};
  static constexpr std::string_view name = "token-v2",
                                    summary = "the same of drafts with p(x) ≥ max p − α",
                                    source = "Narasimhan et al. 2025, arXiv 2405.19261, Equation 14";
  template <class Node, class Weight>
  DRAFTGAUGE_HD static bool has(Node const& node, Token x, Weight const& best, Ratio const& alpha) {
    return is_near_best(Weight(node.p(x)), best, Weight(node.total()), alpha);
  }
};

struct TokenV3 {
  static constexpr Ratio standard{3, 10};
  static constexpr std::string_view name = "token-v3",
                                    summary = "the same of drafts with p(x) ≥ (1 − α)·max p",
                                    source = "Narasimhan et al. 2025, arXiv 2405.19261, Equation 15";
  template <class Node, class Weight>
  DRAFTGAUGE_HD static bool has(Node const& node, Token x, Weight const& best, Ratio const& alpha) {
    return !(Weight(node.p(x) * Weight(alpha.den)) < Weight(best * Weight(alpha.den - alpha.num)));
  }
};

}  // namespace cascades

}  // namespace draftgauge::rules
