#pragma once
#include "sim/faulty/block_ratio.h"
#include "sim/rules/block.h"

namespace draftgauge::faulty {

/// Greedy block verification without the modified target that makes it lossless: the running ratio P/Q is never cut
/// at 1, so that more is kept in a round than p allows, and nothing pays for it later. Sun et al. 2024 (arXiv
/// 2403.10444), Appendix C, has the right rule.
struct BlockGreedy {
  static constexpr Counterexample counterexample{.shows = {.p = "2/3,1/3", .q = "1/3,2/3", .gamma = 2, .tokens = 3},
                                                 .distance = "1/9",
                                                 .rounds = 10000,
                                                 .hides = {.p = "1/3,2/3", .q = "2/3,1/3", .tokens = 2},
                                                 .why = "at γ = 1 it is the token rule"};
  static constexpr RuleCard card{.name = "faulty/block-greedy",
                                 .summary = "block verification by P/Q that is never cut at 1",
                                 .source = "against Sun et al. 2024, arXiv 2403.10444, Appendix C",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::tree;
  static constexpr bool reads_order = true;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    return rules::block::keep_longest(chance, draft, [&](std::uint32_t node, typename Draft::Real const& before) {
      return extended_uncut(draft, node, before);
    });
  }
};

}  // namespace draftgauge::faulty
