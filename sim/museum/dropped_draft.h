#pragma once
#include "sim/rules/token.h"

namespace draftgauge::museum {

/// Throws a draft away because q(x) is below a threshold. To stop after it and keep it is lossless (--policy stop-below).
struct DroppedDraft : rules::TokenRule {
  static constexpr Exhibit exhibit{.shows = {.p = "5/6,1/6", .q = "5/6,1/6"},
                                   .distance = "5/36",
                                   .rounds = 1000,
                                   .hides = {.p = "1/3,2/3", .q = "2/3,1/3"},
                                   .why = "no draft is below the threshold"};
  static constexpr RuleCard card{.name = "wrong/dropped-draft",
                                 .summary = "throw drafts with q(x) < 1/5 away, then emit from p",
                                 .source = "met in public code",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .many_candidates = false,
                                 .policy = "wrong/drop-below:threshold=1/5",
                                 .exhibit = exhibit};
};

}  // namespace draftgauge::museum
