#pragma once
#include "sim/rules/greedy.h"

namespace draftgauge::faulty {

/// Verifies greedily at a temperature above 0: the text is the target's most likely one. A first token is at TV
/// 1 − max p from the target's.
struct GreedyAtTemperature : rules::Greedy {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0"},
                                                 .distance = "1/2",
                                                 .rounds = 1000,
                                                 .hides = {.p = "0,1", .q = "1/2,1/2"},
                                                 .why = "of a one-hot p the most likely token is all"};
  static constexpr RuleCard card{.name = "faulty/greedy-at-temperature",
                                 .summary = "drafts are verified greedily though the temperature is above 0",
                                 .source = "github.com/sgl-project/sglang, pull 31214, of EAGLE on ROCm",
                                 .drafter = "sample",
                                 .many_children = true,
                                 .counterexample = counterexample};
};

}  // namespace draftgauge::faulty
