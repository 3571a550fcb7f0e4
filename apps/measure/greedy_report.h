#pragma once
#include "apps/measure/measured_recording.h"
#include "apps/output/result.h"

namespace draftgauge {

/// Whether the recording has full rows that are measured at temperature 0, or columns of greedy text.
bool says_greedy(MeasuredRecording const& one);
/// The latter: greedy text has no other floor than that of its ties.
bool is_greedy_columns(MeasuredRecording const& one);

/// Adds what its rows say of temperature 0 (field "greedy"): which draft tokens are certified, and of greedy text which tokens
/// are not argmax p, by how much, and, beside --floor, which of them are near ties. Returns what a title is to begin with where
/// the text has such tokens and all are near ties; else empty.
std::string add_greedy(Result& result, Invocation const& args, MeasuredRecording const& one, double confidence);

}  // namespace draftgauge
