#pragma once
#include "sim/card.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// Judge the draft as a whole: π_i = min(1, π_{i−1}·p(x_i)/q(x_i)) is the probability that at least i drafts are kept.
/// Position i stands with probability S_i/(S_i + 1 − π_i), S_i = Σ_x (π_i·p(x) − q(x))₊ (the last one with π_γ), and
/// the longest prefix that stands is kept, whatever failed before it; then a token from norm((π_τ·p − q)₊).
/// Sun et al. 2024 (arXiv 2403.10444), Algorithm 2. Sums are in units of the rows' totals.
struct BlockRule {
  static constexpr RuleCard card{.name = "block",
                                 .summary = "keep the longest prefix that stands under the draft's running ratio",
                                 .source = "Sun et al. 2024, arXiv 2403.10444, Algorithm 2",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .many_candidates = false};
  static constexpr Shape shape = Shape::path;

  template <class Chance, class Path>
  DRAFTGAUGE_HD Cut operator()(Chance& chance, Path const& path) const {
    using Real = typename Path::Real;
    Real running = 1;
    Real kept_running = 1;
    int kept = 0;
    for (int i = 1; i <= path.length(); ++i) {
      auto const before = path.node(i - 1);
      Token const x = path.token(i);
      Real const num = running * Real(before.p(x));
      Real const den = Real(before.q(x));
      running = num < den ? Real(num / den) : Real(1);
      if (stands(chance, path, i, running)) {
        kept = i;
        kept_running = running;
      }
    }
    auto const node = path.node(kept);
    if (kept == path.length()) return {kept, chance.pick(node.target())};
    return {kept, chance.pick(Weights{node.vocab(), [&](Token x) { return surplus(node, kept_running, x); }})};
  }

 private:
  template <class Node, class Real>
  DRAFTGAUGE_HD static Real surplus(Node const& node, Real const& running, Token x) {
    return excess(Real(running * Real(node.p(x))), Real(node.q(x)));
  }

  template <class Chance, class Path, class Real>
  DRAFTGAUGE_HD static bool stands(Chance& chance, Path const& path, int i, Real const& running) {
    if (i == path.length()) return chance.flip(running, Real(1));
    auto const node = path.node(i);
    Real sum = 0;
    for (Token x = 0; x < node.vocab(); ++x) sum += surplus(node, running, x);
    return chance.flip(sum, Real(sum + (Real(1) - running) * Real(node.total())));
  }
};

}  // namespace draftgauge::rules
