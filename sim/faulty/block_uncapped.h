#pragma once
#include "sim/faulty/block_ratio.h"
#include "sim/rules/block.h"

namespace draftgauge::faulty {

/// Block verification whose last test takes the ratio P/Q of the whole draft, not the running one that is cut at 1 on
/// the way. So do the repositories of hierarchical speculative decoding; the rule of the paper (arXiv 2601.05724) has
/// exactly block verification's law. It keeps more drafts than any lossless rule could.
struct BlockUncapped {
  static constexpr Counterexample counterexample{.shows = {.p = "2/3,1/3", .q = "1/3,2/3", .gamma = 2, .tokens = 3},
                                                 .distance = "1/9",
                                                 .rounds = 10000,
                                                 .hides = {.p = "1/3,2/3", .q = "2/3,1/3", .tokens = 2},
                                                 .why = "at γ = 1 nothing was cut before"};
  static constexpr RuleCard card{.name = "faulty/block-uncapped",
                                 .summary = "block verification whose last test takes P/Q uncut",
                                 .source = "repositories of HSD, arXiv 2601.05724",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::tree;
  static constexpr bool reads_order = true;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    using Real = typename Draft::Real;
    Real running = 1, kept_running = 1, ratio = 1;
    std::uint32_t node = 0, kept = 0;
    while (draft.child(node)) {
      ratio = extended_uncut(draft, node, ratio);
      running = rules::block::extended(draft, node, running);
      node = draft.child(node);
      if (rules::block::stands(chance, draft, node, draft.child(node) ? running : ratio)) {
        kept = node;
        kept_running = running;
      }
    }
    return rules::block::stop_at(chance, draft, kept, kept_running);
  }
};

}  // namespace draftgauge::faulty
