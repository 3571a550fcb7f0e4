#pragma once
#include "sim/rules/token.h"

namespace draftgauge::faulty {

/// Draws drafts from q in another precision (rounded up to sixteenths here) than the q that is tested.
struct RoundedDraft : rules::TokenRule {
  static constexpr Counterexample counterexample{.shows = {.p = "2/3,1/3", .q = "2/3,1/3"},
                                                 .distance = "1/51",
                                                 .rounds = 100000,
                                                 .hides = {.p = ".7,.3", .q = ".25,.75"},
                                                 .why = "these q are whole sixteenths"};
  static constexpr RuleCard card{.name = "faulty/rounded-draft",
                                 .summary = "draw from q rounded up to sixteenths, test against q",
                                 .source = "github.com/deepseek-ai/DeepSpec, issue 31, with bfloat16",
                                 .drafter = "faulty/rounded",
                                 .counterexample = counterexample};
};

}  // namespace draftgauge::faulty
