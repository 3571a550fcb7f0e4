#pragma once
#include <span>

#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// Several recordings beside each other: what each is and its best γ, every pair of the first `compared`, and which
/// draft is the fastest. A last one beyond these is the pool of them all, of which the title is.
void add_compared(Result& result, MeasureOfSeveral& report, std::span<MeasuredRecording const> all,
                  std::size_t compared, StudyOptions const& options);

}  // namespace draftgauge
