#pragma once
#include "analysis/report/field.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// What a recording gives at a γ: E[N] by each estimator, S, and what drafts may cost. `of` must live as long.
Fields<int> token_fields(MeasuredRecording const& of, StudyOptions const& options);

}  // namespace draftgauge
