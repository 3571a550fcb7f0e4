#pragma once
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// The fields of one recording, as docs/schema/measure.json has them.
Json measured_document(MeasuredRecording const& of, StudyOptions const& options);

/// What is known of every token: an object each, as --per-position asks.
Json position_document(MeasuredRecording const& of);

}  // namespace draftgauge
