#pragma once
#include "sim/rules/token.h"

namespace draftgauge::faulty {

/// Noise drawn once per prompt and used again in every round: each round by itself is right, and the text repeats
/// itself.
struct FrozenNoise : rules::TokenRule {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 3},
                                                 .distance = "5/8",
                                                 .rounds = 10000,
                                                 .hides = {.p = "1/3,2/3", .q = "2/3,1/3"},
                                                 .why = "each round by itself is right"};
  static constexpr RuleCard card{.name = "faulty/frozen-noise",
                                 .summary = "the noise of a text's first round, used again in every round",
                                 .source = "github.com/kekzl/imp, pull 2013, of sampling without drafts",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr bool noise_is_frozen = true;  ///< sim/play/trial.h, analysis/exact/enumerate_round.h
};

}  // namespace draftgauge::faulty
