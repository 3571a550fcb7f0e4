#pragma once
#include "sim/faulty/around/state.h"

namespace draftgauge::faulty {

/// The state of the round's start after all drafts of the round, accepted or not.
template <class Draft>
DRAFTGAUGE_HD std::uint32_t row_after_drafts(Draft& draft) {
  std::uint32_t node = 0;
  for (TreeNode below = draft.children(0); below.count > 0; below = draft.children(node)) node = below.first;
  return draft.row(node);
}

/// Feeds the state the last token of each round and no other: the longer the rounds, the weaker the penalty.
struct StateLastOnly : KeptState<StateLastOnly> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 3, .memory = "penalised:frequency=1/2"},
      .distance = "7/90",
      .rounds = 10000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "penalised:frequency=1/2"},
      .why = "two tokens are of one round, or of rounds of one token"};
  static constexpr RuleCard card{.name = "faulty/state-last-only",
                                 .summary = "of a round's tokens the state is fed the last one only",
                                 .source = "github.com/sgl-project/sglang before pull 33643, of penalties",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t state(Draft& draft, Stop const& stop, bool emits, std::uint32_t) {
    if (!emits && stop.node == 0) return draft.row(0);
    return draft.model().contexts().after(draft.row(0), emits ? stop.token : draft.token(stop.node));
  }
};

/// Feeds the state all drafts of a round, accepted or not, and the token after them.
struct StateOfDrafts : KeptState<StateOfDrafts> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "penalised:frequency=1/2"},
      .distance = "1/12",
      .rounds = 10000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .memory = "penalised:frequency=1/2"},
      .why = "no draft was rejected before the first token"};
  static constexpr RuleCard card{.name = "faulty/state-of-drafts",
                                 .summary = "rejected drafts move the state too",
                                 .source = "github.com/NVIDIA/TensorRT-LLM before pull 19296, of grammar matchers",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t state(Draft& draft, Stop const& stop, bool emits, std::uint32_t) {
    Contexts const contexts = draft.model().contexts();
    std::uint32_t const drafted = contexts.with_state(draft.row(stop.node), row_after_drafts(draft));
    return emits ? contexts.after(drafted, stop.token) : drafted;
  }
};

/// After a rejection feeds the state the drafts and not the token in place of the rejected one.
struct StateOfRejected : KeptState<StateOfRejected> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "penalised:frequency=1/2"},
      .distance = "1/6",
      .rounds = 10000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .memory = "penalised:frequency=1/2"},
      .why = "no draft was rejected before the first token"};
  static constexpr RuleCard card{.name = "faulty/state-of-rejected",
                                 .summary = "after a rejection the state has the drafts, not the token emitted",
                                 .source = "against github.com/InternLM/lmdeploy, pull 4559, of grammar matchers",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t state(Draft& draft, Stop const& stop, bool, std::uint32_t row) {
    return draft.children(stop.node).count > 0 ? row_after_drafts(draft) : row;
  }
};

}  // namespace draftgauge::faulty
