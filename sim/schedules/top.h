#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// A budget that is fixed beforehand, spent on the slots that survive most. Survival falls along a request, so that
/// the n largest are found one after another.
struct Top : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {slots_parameter("slots", "slots verified of the whole batch", 4)};
  static constexpr ScheduleCard card{
      .name = "top",
      .summary = "a fixed number of slots of the whole batch: those most likely to be accepted",
      .source = "DSpark, arXiv 2607.05147, its allocation",
      .sight = Sight::sequential,
      .parameters = parameters};

  template <class Real>
  DRAFTGAUGE_HD static int next(Parameters const& values, OpenSlots<Real> const& slots, Real const*) {
    return slots.admitted() < whole(values.value[0]) ? slots.best() : -1;
  }
};

}  // namespace draftgauge::schedules
