#pragma once
#include "sim/draft/card.h"
#include "sim/draft/tree_view.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// Commits a round's first draft before it is verified, and verifies those behind it.
struct FirstUnseen {
  static constexpr Counterexample counterexample{.shows = {.p = "1,0", .q = "0,1"},
                                                 .distance = "1",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "1/3,2/3"},
                                                 .why = "a draft model that is the target needs no verification"};
  static constexpr RuleCard card{.name = "faulty/first-unseen",
                                 .summary = "a round's first draft is emitted before it is verified",
                                 .source = "against Leviathan et al. 2023, arXiv 2211.17192, Algorithm 1",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::tree;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    for (std::uint32_t node = 0;;) {
      TreeNode const below = draft.children(node);
      auto const here = draft.at(node);
      if (below.count == 0) return {node, chance.pick(here.target())};
      Token const x = draft.token(below.first);
      if (node > 0 && !chance.flip(here.p(x), here.q(x))) return {node, chance.pick(here.residual())};
      node = below.first;
    }
  }
};

}  // namespace draftgauge::faulty
