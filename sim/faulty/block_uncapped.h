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
    Real ratio = 1;
    return rules::block::keep_longest(chance, draft, [&](std::uint32_t node, Real const& before) {
      ratio = extended_uncut(draft, node, ratio);
      bool const last = !draft.child(draft.child(node));
      return last ? ratio : rules::block::extended(draft, node, before);
    });
  }
};

}  // namespace draftgauge::faulty
