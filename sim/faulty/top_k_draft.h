#pragma once
#include "sim/rules/token.h"

namespace draftgauge::faulty {

/// Draws drafts from the top k of q (k = 2 here), renormalised, but tests them against q itself.
struct TopKDraft : rules::TokenRule {
  static constexpr Counterexample counterexample{.shows = {.p = "2/3,1/3,0", .q = "1/3,1/3,1/3"},
                                                 .distance = "1/6",
                                                 .rounds = 1000,
                                                 .hides = {.p = ".7,.3", .q = ".2,.8"},
                                                 .why = "at V = 2 the top 2 are all of q"};
  static constexpr RuleCard card{.name = "faulty/top-k-draft",
                                 .summary = "draw from the top 2 of q, test against q",
                                 .source = "github.com/huggingface/transformers, issue 47932",
                                 .drafter = "faulty/top-2",
                                 .counterexample = counterexample};
};

}  // namespace draftgauge::faulty
