#pragma once
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// {"value", "low", "high", "confidence"}; the ends null where there are too few texts for an interval.
Json estimate_document(TextEstimate const& estimate, double confidence, Limits const& limits = {});

/// {"low", "high"}, of the interval that both make where there is one.
Json bounds_document(TextEstimates::Bounds const& bounds, double confidence);

/// {"top_k", "top_p"} that cut the law which wrote the text; 0 and 1 cut nothing.
Json truncation_document(TokenTrace const& trace);

}  // namespace draftgauge
