#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Each request by what its rounds accepted of late: one draft more than their moving average, which begins at γ.
struct Average : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {
      share_parameter("weight", "the share of the last round in the average", {1, 5}),
      slots_parameter("add", "drafts beyond the average", 1)};
  static constexpr ScheduleCard card{
      .name = "average",
      .summary = "per request, the moving average of its accepted drafts and a few more",
      .source = "SGLang, speculative_adaptive (its ema_alpha is the weight)",
      .sight = Sight::past,
      .parameters = parameters};

  template <class Real>
  DRAFTGAUGE_HD static void begin(Parameters const&, BatchDrafts<Real> const& drafts, Real* memory) {
    for (int r = 0; r < drafts.requests; ++r) memory[r] = Real(drafts.gamma[r]);
  }
  template <class Real>
  DRAFTGAUGE_HD static void joined(Parameters const&, BatchDrafts<Real> const& drafts, int request, Real* memory) {
    memory[request] = Real(drafts.gamma[request]);
  }
  template <class Real>
  DRAFTGAUGE_HD static void moved(int from, int to, Real* memory) {
    memory[to] = memory[from];
  }
  template <class Real>
  DRAFTGAUGE_HD static int next(Parameters const& values, OpenSlots<Real> const& slots, Real const* memory) {
    // ⌊average⌋ + add > length, without rounding; one draft at least, since without any there is nothing to learn from.
    for (int r = slots.last(); r < slots.requests(); ++r)
      if (slots.open(r) &&
          (slots.length(r) == 0 || !below(memory[r], Real(slots.length(r) + 1 - whole(values.value[1])))))
        return r;
    return -1;
  }
  template <class Real>
  DRAFTGAUGE_HD static void after(Parameters const& values, BatchDrafts<Real> const& drafts, int const*,
                                  int const* accepted, Real* memory) {
    Real const weight = Real(values.value[0].num) / Real(values.value[0].den);
    for (int r = 0; r < drafts.requests; ++r) memory[r] += weight * (Real(accepted[r]) - memory[r]);
  }
};

}  // namespace draftgauge::schedules
