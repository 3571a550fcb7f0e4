#pragma once
#include <cmath>

#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"

namespace draftgauge::rules {

/// Accept the draft x with probability min(1, p(x)/q(x)); at the first rejection emit from norm((p − q)₊), after the
/// last acceptance from p. Leviathan, Kalman, Matias 2023 (arXiv 2211.17192), Algorithm 1.
struct TokenRule {
  static constexpr RuleCard card{.name = "token",
                                 .summary = "accept a draft with probability min(1, p/q), else emit from (p − q)₊",
                                 .source = "Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1",
                                 .drafter = "sample",
                                 .lossless = true};
  static constexpr Shape shape = Shape::node;
  static constexpr AlongTree along_tree = AlongTree::residual;
  static constexpr bool flips_once = true;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    return chance.flip(node.p(x), node.q(x)) ? descend(0) : emit(chance.pick(node.residual()));
  }

  /// β = Σ min(p, q). Leviathan et al., Theorem 3.5.
  template <class Row>
  static auto acceptance(drafters::Sample, Row const& row, int) {
    return row.sum([](auto const& p, auto const& q) { return p < q ? p : q; });
  }

  /// It drafts x and accepts it with probability min(p, q), and emits x with p, drafted or not (Leviathan et al.,
  /// Appendix A.1): of the rounds that emit x where they draft, the share min(1, q/p) accepted it.
  struct Replay {
    static constexpr std::string_view name = card.name;
    using Drafter = drafters::Sample;
    double kept(double log_ratio) const { return std::exp(log_ratio < 0 ? log_ratio : 0); }
  };
};

}  // namespace draftgauge::rules
