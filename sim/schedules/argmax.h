#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// The budget that is best by this round's own estimates. Where times are convex in the number of tokens, tokens over
/// time never rises again once it has fallen, so that this is Descent, but for ties. Where they have a step it looks past the step
/// at estimates that depend on tokens which it then does not verify.
struct Argmax : EveryRoundAnew {
  static constexpr ScheduleExample counterexample{
      .shows = {.p = "1,0;1/2,1/2", .q = "0,1;1/2,1/2", .gamma = 2, .requests = 1, .times = "1,2,2"},
      .distance = "1/8",
      .hides = {.p = "1,0;1/2,1/2", .q = "0,1;1/2,1/2", .gamma = 2, .requests = 1, .times = "1,3/2,2"},
      .why = "where times are convex it is descent"};
  static constexpr ScheduleCard card{
      .name = "argmax",
      .summary = "as many slots as are best by this round's estimates; lossless where times are convex",
      .source = "DSpark's budget without its lag, as single-process servers have it",
      .sight = Sight::estimates,
      .counterexample = counterexample};

  template <class Real>
  DRAFTGAUGE_HD static void decide(Parameters const&, BatchDrafts<Real> const& drafts, int* lengths) {
    int const budget = best_budget(drafts);
    OpenSlots<Real> slots(drafts, lengths);
    while (slots.admitted() < budget) slots.admit(slots.best());
  }
};

}  // namespace draftgauge::schedules
