#pragma once
#include "sim/museum/block_ratio.h"
#include "sim/rules/block.h"

namespace draftgauge::museum {

/// Block verification whose last test takes the ratio P/Q of the whole draft, not the running one that is cut at 1 on the
/// way. So do the repositories of hierarchical speculative decoding; the rule of the paper (arXiv 2601.05724) has exactly
/// block verification's law. It keeps more drafts than any lossless rule could.
struct BlockUncapped {
  static constexpr Exhibit exhibit{.shows = {.p = "2/3,1/3", .q = "1/3,2/3", .gamma = 2, .tokens = 3},
                                   .distance = "1/9",
                                   .rounds = 10000,
                                   .hides = {.p = "1/3,2/3", .q = "2/3,1/3", .tokens = 2},
                                   .why = "at γ = 1 nothing was cut before"};
  static constexpr RuleCard card{.name = "wrong/block-uncapped",
                                 .summary = "block verification whose last test takes P/Q uncut",
                                 .source = "repositories of HSD, arXiv 2601.05724",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .many_candidates = false,
                                 .exhibit = exhibit};
  static constexpr Shape shape = Shape::path;
  static constexpr bool reads_order = true;

  template <class Chance, class Path>
  DRAFTGAUGE_HD Cut operator()(Chance& chance, Path const& path) const {
    using Real = typename Path::Real;
    Real running = 1, kept_running = 1, ratio = 1;
    int kept = 0;
    for (int i = 1; i <= path.length(); ++i) {
      ratio = extended_uncut(path, i, ratio);
      running = rules::block::extended(path, i, running);
      if (rules::block::stands(chance, path, i, i == path.length() ? ratio : running)) {
        kept = i;
        kept_running = running;
      }
    }
    return rules::block::cut(chance, path, kept, kept_running);
  }
};

}  // namespace draftgauge::museum
