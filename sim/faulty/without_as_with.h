#pragma once
#include "sim/drafters/sample_without.h"
#include "sim/rules/recursive.h"

namespace draftgauge::faulty {

/// Draws children without replacement and verifies them as if they were independent.
struct WithoutAsWith : rules::Recursive<drafters::Sample> {
  static constexpr Counterexample counterexample{.shows = {.p = "1,0,0", .q = "0,1,0", .tokens = 1, .branching = 2},
                                                 .distance = "1/2",
                                                 .rounds = 1000,
                                                 .hides = {.p = ".3,.7", .q = ".6,.4", .tokens = 1, .branching = 2},
                                                 .why = "at V = 2 the residual after one rejection has one token"};
  static constexpr RuleCard card{.name = "faulty/without-as-with",
                                 .summary = "candidates without replacement, verified by the rule for those with",
                                 .source = "against Sequoia, Chen et al. 2024, arXiv 2402.12374, Algorithm 2",
                                 .drafter = "sample-without",
                                 .many_children = true,
                                 .counterexample = counterexample};
};

}  // namespace draftgauge::faulty
