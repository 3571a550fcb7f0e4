#pragma once
#include "sim/faulty/around/state.h"

namespace draftgauge::faulty {

/// Verifies all places of a round with the state that it started with: penalties, or a grammar's mask, of the round's
/// start.
struct StateFrozen : KeptState<StateFrozen> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "penalised:frequency=1/2"},
      .distance = "1/12",
      .rounds = 10000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .memory = "penalised:frequency=1/2"},
      .why = "the first token of a round is right"};
  static constexpr RuleCard card{.name = "faulty/state-frozen",
                                 .summary = "every place is verified with the state of the round's start",
                                 .source = "github.com/sgl-project/sglang, pulls 22049 and 40244, of penalties",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t view(Draft& draft, std::uint32_t node, bool) {
    return draft.model().contexts().with_state(draft.row(node), draft.row(0));
  }
};

/// Verifies each draft with the state one token too early.
struct StateLate : KeptState<StateLate> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "penalised:frequency=1/2"},
      .distance = "1/12",
      .rounds = 10000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .memory = "penalised:frequency=1/2"},
      .why = "the first token of a round is right"};
  static constexpr RuleCard card{.name = "faulty/state-late",
                                 .summary = "within a round the state is one token behind",
                                 .source = "against github.com/InternLM/lmdeploy, pull 4559, of grammar masks",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t view(Draft& draft, std::uint32_t node, bool) {
    return draft.model().contexts().with_state(draft.row(node), draft.row(node == 0 ? 0 : draft.parent(node)));
  }
};

/// Drafts are verified against the raw p; the bonus token alone is drawn from the processed one.
struct StateBonusOnly : KeptState<StateBonusOnly> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "penalised:frequency=1/2"},
      .distance = "1/12",
      .rounds = 10000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .memory = "penalised:frequency=1/2"},
      .why = "nothing is penalised before the first token"};
  static constexpr RuleCard card{.name = "faulty/state-bonus-only",
                                 .summary = "drafts are verified by raw p, and the bonus token alone is processed",
                                 .source = "github.com/sgl-project/sglang, pull 28242, of penalties",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t view(Draft& draft, std::uint32_t node, bool drafted) {
    return drafted ? draft.model().contexts().without_memory(draft.row(node)) : draft.row(node);
  }
};

/// Processes nothing: penalties, masks and biases are ignored without a word.
struct StateLost : KeptState<StateLost> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "penalised:frequency=1/2"},
      .distance = "1/6",
      .rounds = 10000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .memory = "penalised:frequency=1/2"},
      .why = "nothing is penalised before the first token"};
  static constexpr RuleCard card{.name = "faulty/state-lost",
                                 .summary = "penalties, masks and biases are ignored",
                                 .source = "github.com/NVIDIA/TensorRT-LLM before pull 17701; vLLM, issue 18902",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t view(Draft& draft, std::uint32_t node, bool) {
    return draft.model().contexts().without_memory(draft.row(node));
  }
};

}  // namespace draftgauge::faulty
