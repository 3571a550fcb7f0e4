#pragma once
#include "sim/card.h"
#include "sim/verdict.h"

/// Rules that are wrong in ways met in public code, in the form of the right ones. Tests show each of them caught.
namespace draftgauge::museum {

/// Resamples from p, not from (p − q)₊, after a rejection.
struct ResidualFromTarget {
  static constexpr RuleCard card{.name = "wrong/residual-from-target",
                                 .summary = "resample from p after a rejection",
                                 .source = "met in public code",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .many_candidates = false};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  Step operator()(Chance& chance, Node const& node) const {
    if (node.candidates() == 0) return emit(chance.pick(node.target()));
    Token const x = node.candidate(0);
    return chance.flip(node.p(x), node.q(x)) ? descend(0) : emit(chance.pick(node.target()));
  }
};

/// Draws the token after γ acceptances from q.
struct BonusFromDraft {
  static constexpr RuleCard card{.name = "wrong/bonus-from-draft",
                                 .summary = "draw the bonus token from q",
                                 .source = "met in public code",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .many_candidates = false};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  Step operator()(Chance& chance, Node const& node) const {
    if (node.candidates() == 0) return emit(chance.pick(node.draft()));
    Token const x = node.candidate(0);
    return chance.flip(node.p(x), node.q(x)) ? descend(0) : emit(chance.pick(node.residual()));
  }
};

/// Block verification that stops at the first position that does not stand.
struct BlockStopsAtFirst {
  static constexpr RuleCard card{.name = "wrong/block-stops-at-first",
                                 .summary = "block verification that stops at the first failure",
                                 .source = "met in public code",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .many_candidates = false};
  static constexpr Shape shape = Shape::path;

  template <class Chance, class Path>
  Cut operator()(Chance& chance, Path const& path) const {
    using Real = typename Path::Real;
    auto const surplus = [](auto const& node, Real const& running, Token x) {
      return excess(Real(running * Real(node.p(x))), Real(node.q(x)));
    };
    Real running = 1, kept_running = 1;
    int kept = 0;
    while (kept < path.length()) {
      auto const before = path.node(kept);
      Token const x = path.token(kept + 1);
      Real const num = running * Real(before.p(x)), den = Real(before.q(x));
      running = num < den ? Real(num / den) : Real(1);
      Real sum = running, rest = Real(1) - running;
      if (kept + 1 < path.length()) {
        auto const node = path.node(kept + 1);
        sum = 0;
        for (Token y = 0; y < node.vocab(); ++y) sum += surplus(node, running, y);
        rest *= Real(node.total());
      }
      if (!chance.flip(sum, Real(sum + rest))) break;
      ++kept;
      kept_running = running;
    }
    auto const node = path.node(kept);
    if (kept == path.length()) return {kept, chance.pick(node.target())};
    return {kept, chance.pick(Weights{node.vocab(), [&](Token y) { return surplus(node, kept_running, y); }})};
  }
};

}  // namespace draftgauge::museum
