#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// The budget that would have been best in the round before, spent on the slots that survive most in this one. The lag
/// is what keeps it lossless: the budget is known before this round's first token is.
struct Lagged : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {slots_parameter("first", "slots of the first round", 1000)};
  static constexpr ScheduleCard card{
      .name = "lagged",
      .summary = "as many slots as were best in the round before: those most likely to be accepted",
      .source = "DSpark, arXiv 2607.05147; SGLang; vLLM pull request 47808",
      .sight = Sight::sequential,
      .parameters = parameters};

  template <class Real>
  DRAFTGAUGE_HD static void begin(Parameters const& values, BatchDrafts<Real> const&, Real* memory) {
    memory[0] = Real(whole(values.value[0]));
  }
  template <class Real>
  DRAFTGAUGE_HD static int next(Parameters const&, OpenSlots<Real> const& slots, Real const* memory) {
    return Real(slots.admitted()) < memory[0] ? slots.best() : -1;
  }
  template <class Real>
  DRAFTGAUGE_HD static void after(Parameters const&, BatchDrafts<Real> const& drafts, int const*, int const*,
                                  Real* memory) {
    memory[0] = Real(best_budget(drafts));
  }
};

}  // namespace draftgauge::schedules
