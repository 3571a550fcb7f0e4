#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// As many drafts of every request.
struct Fixed : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {
      slots_parameter("length", "drafts verified of each request, at most γ", 1000)};
  static constexpr ScheduleCard card{.name = "fixed",
                                     .summary = "the first drafts of every request, as many of each",
                                     .source = "Leviathan et al. 2023, arXiv 2211.17192",
                                     .sight = Sight::past,
                                     .parameters = parameters};

  template <class Real>
  DRAFTGAUGE_HD static int next(Parameters const& values, OpenSlots<Real> const& slots, Real const*) {
    for (int r = slots.last(); r < slots.requests(); ++r)
      if (slots.open(r) && slots.length(r) < whole(values.value[0])) return r;
    return -1;
  }
};

}  // namespace draftgauge::schedules
