#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"
#include "sim/lossy/typical.h"

namespace draftgauge::rules {

/// Typical acceptance as vLLM had it until 0.9.2: a draft that fails is replaced by argmax p, not by a draw from p. The
/// bonus token is a draw from p. Its standard numbers are vLLM's.
struct TypicalArgmax {
  static constexpr RuleCard card{.name = "typical-argmax",
                                 .summary = "accept if p(x) > min(ε, δ·exp(−H(p))), else emit argmax p",
                                 .source = "vLLM 0.9.2, TypicalAcceptanceSampler",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = Typical::parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true, has_row_constant = true;

  explicit constexpr TypicalArgmax(Parameters const& values) : typical(values) {}

  template <class Node>
  static typename Node::Real row_constant(Node const& node, int children) {
    return Typical::row_constant(node, children);
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.children() == 0) return emit(chance.pick(node.target()));
    return typical.passes(node, node.child(0)) ? descend(0) : emit(node.argmax_p());
  }

  /// Where p is one-hot no other token exceeds a threshold.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p; }

  /// q of the drafts that pass.
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    auto const passes = typical.passing_tokens(row);
    Real sum = 0;
    for (Token x = 0; x < row.vocab(); ++x)
      if (passes[x]) sum += Real(row.q(x));
    return sum;
  }

  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    auto const passes = typical.passing_tokens(row);
    return emitted_law(
        row, [&](Token x) { return Real(passes[x] ? 1 : 0); },
        [best = row.argmax_p()](Token x) { return Real(x == best ? 1 : 0); });
  }

  Typical typical;
};

}  // namespace draftgauge::rules
