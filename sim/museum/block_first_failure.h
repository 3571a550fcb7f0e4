#pragma once
#include "sim/rules/block.h"

namespace draftgauge::museum {

/// Block verification that stops at the first position that does not stand, as token rules do.
struct BlockFirstFailure {
  static constexpr Exhibit exhibit{.shows = {.p = "1/2,1/2", .q = "1,0", .gamma = 2, .tokens = 3},
                                   .distance = "1/6",
                                   .rounds = 10000,
                                   .hides = {.p = "1/3,2/3", .q = "2/3,1/3", .tokens = 2},
                                   .why = "at γ = 1 there is one position"};
  static constexpr RuleCard card{.name = "wrong/block-first-failure",
                                 .summary = "block verification that stops at the first failure",
                                 .source = "met in public code",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .many_candidates = false,
                                 .exhibit = exhibit};
  static constexpr Shape shape = Shape::path;
  static constexpr bool reads_order = true;

  template <class Chance, class Path>
  DRAFTGAUGE_HD Cut operator()(Chance& chance, Path const& path) const {
    using Real = typename Path::Real;
    Real running = 1, kept_running = 1;
    int kept = 0;
    while (kept < path.length()) {
      running = rules::block::extended(path, kept + 1, running);
      if (!rules::block::stands(chance, path, kept + 1, running)) break;
      ++kept;
      kept_running = running;
    }
    return rules::block::cut(chance, path, kept, kept_running);
  }
};

}  // namespace draftgauge::museum
