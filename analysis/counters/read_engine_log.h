#pragma once
#include <string>
#include <string_view>

#include "analysis/recordings/engine_log.h"

namespace draftgauge {

struct EngineCounters;

/// Reads rounds, JSON, one a line: prompt (or seq, text), start, gamma, emitted (tokens or their number), and where
/// there: eog, drafted, accepted, temperature; else counters of any format of analysis/counters/formats.h. Throws
/// InputError that names file, line and field where a counter is missing, is not a number ≥ 0, or contradicts
/// another; where rounds of a text leave tokens out; and for anything else, with what is known.
EngineLog read_engine_log(std::string const& file, std::string_view text);

/// Counters as a log of their sums.
EngineLog engine_log_of(EngineCounters const& counters);

/// Whether a text, which is no JSON, looks like one of the above.
bool is_engine_text(std::string_view text);

}  // namespace draftgauge
