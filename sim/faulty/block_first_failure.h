#pragma once
#include "sim/rules/block.h"

namespace draftgauge::faulty {

/// Block verification that stops at the first position that does not stand, as token rules do.
struct BlockFirstFailure {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0", .gamma = 2, .tokens = 3},
                                                 .distance = "1/6",
                                                 .rounds = 10000,
                                                 .hides = {.p = "1/3,2/3", .q = "2/3,1/3", .tokens = 2},
                                                 .why = "at γ = 1 there is one position"};
  static constexpr RuleCard card{.name = "faulty/block-first-failure",
                                 .summary = "block verification that stops at the first failure",
                                 .source = "against Sun et al. 2024, arXiv 2403.10444, Algorithm 2",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::tree;
  static constexpr bool reads_order = true;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    using Real = typename Draft::Real;
    Real running = 1, kept_running = 1;
    std::uint32_t kept = 0;
    while (draft.child(kept)) {
      running = rules::block::extended(draft, kept, running);
      if (!rules::block::stands(chance, draft, draft.child(kept), running)) break;
      kept = draft.child(kept);
      kept_running = running;
    }
    return rules::block::stop_at(chance, draft, kept, kept_running);
  }
};

}  // namespace draftgauge::faulty
