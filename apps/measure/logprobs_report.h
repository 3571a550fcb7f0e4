#pragma once
#include <string>

#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// --logprobs.
OptionGroup logprobs_options();

/// Adds whether the log-probabilities that an engine reported of the recorded text are the target's (field "logprobs"),
/// and if not what they are. Returns the sentence that a title begins with. What is wrong sets the result's status.
std::string add_logprobs(Result& result, MeasureReport& report, Invocation const& args, MeasuredRecording const& one);

}  // namespace draftgauge
