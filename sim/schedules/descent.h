#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Slots by falling survival, until one would lower tokens per time.
struct Descent : EveryRoundAnew {
  static constexpr ScheduleCard card{
      .name = "descent",
      .summary = "slots by falling survival; stop before the first that lowers tokens per time",
      .source = "DSpark, arXiv 2607.05147, its sequential form",
      .sight = Sight::sequential};

  template <class Real>
  DRAFTGAUGE_HD static int next(Parameters const&, OpenSlots<Real> const& slots, Real const*) {
    int const best = slots.best();
    if (best < 0) return -1;
    Real const with = slots.expected() + slots.survival(best);
    return below(Real(with * slots.time()), Real(slots.expected() * slots.time_with_next())) ? -1 : best;
  }
};

}  // namespace draftgauge::schedules
