#pragma once
#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// --floor.
OptionGroup floor_options();

/// The recording's rows of the target, with those of --floor in the draft's place. The recording must have rows.
RowPairs rows_with_floor(Invocation const& args, Recorded const& recorded);

/// The target as the recording has it and as the other file has it, paired as target and draft.
TokenTrace self_trace(Invocation const& args, Recorded const& recorded, std::string const& other);

/// Adds the distance between two recordings of the target over one text (field "floor"): no rule can be told from the
/// right one below it.
void add_floor(Result& result, MeasureReport& report, Invocation const& args, MeasuredRecording const& one, StudyOptions const& options);

}  // namespace draftgauge
