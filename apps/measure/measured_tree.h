#pragma once
#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// --tree, --drafter.
OptionGroup measured_tree_options();

/// Puts what rounds on a tree give along the text first: the title, a table, and the field "tree". Throws UsageError
/// and InputError where the recording does not say.
void lead_with_tree(Result& result, MeasureReport& measured, Invocation const& args, MeasuredRecording const& of,
                    StudyOptions const& options);

}  // namespace draftgauge
