#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// A fixed length for each batch size.
struct ByBatch : EveryRoundAnew {
  static constexpr BatchStep steps[] = {{1, 5}, {8, 3}, {32, 1}};
  static constexpr ScheduleCard card{.name = "by-batch",
                                     .summary = "as many drafts of every request, by how many requests there are",
                                     .source = "vLLM, num_speculative_tokens_per_batch_size; TensorRT-LLM",
                                     .sight = Sight::past,
                                     .steps = steps};

  DRAFTGAUGE_HD static int length(ScheduleValues const& values, int requests) {
    int length = 0;
    for (BatchStep const& step : values.step)
      if (step.from > 0 && step.from <= requests) length = step.length;
    return length;
  }
  template <class Real>
  DRAFTGAUGE_HD static int next(ScheduleValues const& values, OpenSlots<Real> const& slots, Real const*) {
    int const most = length(values, slots.requests());
    for (int r = slots.last(); r < slots.requests(); ++r)
      if (slots.open(r) && slots.length(r) < most) return r;
    return -1;
  }
};

}  // namespace draftgauge::schedules
