#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Top, ranked by the product of the drafted tokens' own q.
struct OwnRank : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {slots_parameter("slots", "slots verified of the whole batch", 1)};
  static constexpr ScheduleExample counterexample{
      .shows = {.p = "2/3,1/3", .q = "2/3,1/3", .gamma = 1, .requests = 2},
      .distance = "4/27",
      .hides = {.p = "2/3,1/3", .q = "2/3,1/3"},
      .why = "the slots of one request have no rivals"};
  static constexpr ScheduleCard card{
      .name = "faulty/own-rank",
      .summary = "a fixed number of slots of the batch: those whose drafted tokens have the largest Π q",
      .source = "TETRIS, arXiv 2502.15197",
      .sight = Sight::tokens,
      .parameters = parameters,
      .counterexample = counterexample};

  template <class Real>
  DRAFTGAUGE_HD static void decide(Parameters const& values, BatchDrafts<Real> const& drafts, int* lengths) {
    BatchDrafts<Real> ranked = drafts;
    ranked.estimate = drafts.own;
    OpenSlots<Real> slots(ranked, lengths);
    for (int r = slots.best(); r >= 0 && slots.admitted() < whole(values.value[0]); r = slots.best()) slots.admit(r);
  }
};

}  // namespace draftgauge::schedules
