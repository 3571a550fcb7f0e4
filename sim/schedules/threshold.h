#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Each request by itself: slots while they are likely enough to be accepted.
struct Threshold : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {
      share_parameter("survival", "the estimate below which a request's slots end", {1, 2})};
  static constexpr ScheduleCard card{
      .name = "threshold",
      .summary = "a request's slots while their estimated survival reaches a threshold",
      .source = "Kangaroo, arXiv 2404.18911; BiLD, arXiv 2302.07863",
      .sight = Sight::sequential,
      .parameters = parameters};

  template <class Real>
  DRAFTGAUGE_HD static int next(Parameters const& values, OpenSlots<Real> const& slots, Real const*) {
    for (int r = slots.last(); r < slots.requests(); ++r)
      if (slots.open(r) && reaches(slots.survival(r), values.value[0])) return r;
    return -1;
  }
};

}  // namespace draftgauge::schedules
