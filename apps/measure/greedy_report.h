#pragma once
#include <optional>
#include <string>

#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// Whether the recording is of columns of greedy text, which has no other floor than that of its ties.
bool is_greedy_columns(Recorded const& recorded);

/// What full rows that are measured at temperature 0, or columns of greedy text, say of it; none of other recordings.
/// Beside --floor the text's near ties are told from what is none, and the recording takes them as argmax p from then
/// on.
std::optional<GreedyText> greedy_answer(Invocation const& args, Recorded& recorded, double confidence);

/// Adds that (field "greedy"): which draft tokens are certified, and of greedy text which tokens are not argmax p, by
/// how much, and which of them are near ties. Returns what a title is to begin with where the text has such tokens
/// and all are near ties; else empty.
std::string add_greedy(Result& result, MeasureReport& report, MeasuredRecording const& one, GreedyText const& found);

}  // namespace draftgauge
