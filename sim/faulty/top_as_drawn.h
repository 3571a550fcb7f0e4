#pragma once
#include "sim/drafters/top.h"
#include "sim/rules/recursive.h"

namespace draftgauge::faulty {

/// Drafts the tokens that q likes best and verifies them as if they had been drawn from q: recursive rejection
/// against the raw q. The fixed drafts of EAGLE-2 need `top-set`.
template <class Drafter>
struct TopAsDrawn : rules::Recursive<Drafter> {
  static constexpr bool with = rules::Recursive<Drafter>::with;
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1/2,1/2", .branching = 2},
                                                 .distance = "1/2",
                                                 .rounds = 1000,
                                                 .hides = {.p = ".3,.7", .q = "1,0", .branching = 2},
                                                 .why = "drafts from a one-hot q are the ones that it likes best"};
  static constexpr RuleCard card{.name = with ? "faulty/top-as-drawn" : "faulty/top-as-drawn-without",
                                 .summary = with ? "the most likely drafts, verified as independent draws from q"
                                                 : "the most likely drafts, verified as draws without replacement",
                                 .source = "github.com/apple/ml-recurrent-drafter, issue 6, with a beam search",
                                 .drafter = "top",
                                 .many_children = true,
                                 .counterexample = counterexample};
};

}  // namespace draftgauge::faulty
