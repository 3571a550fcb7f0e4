#pragma once
#include "sim/draft/card.h"
#include "sim/draft/tree_view.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// After a rejection draws the token from the row behind the rejected draft, an index off by one.
struct RowBehind {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0"},
                                                 .distance = "1/4",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "1/3,2/3"},
                                                 .why = "nothing is rejected where p is q"};
  static constexpr RuleCard card{.name = "faulty/row-behind",
                                 .summary = "after a rejection the token is drawn from the row behind the draft",
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
      if (!chance.flip(here.p(x), here.q(x))) return {node, chance.pick(draft.at(below.first).target())};
      node = below.first;
    }
  }
};

}  // namespace draftgauge::faulty
