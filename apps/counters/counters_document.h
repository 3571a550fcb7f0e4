#pragma once
#include <optional>

#include "analysis/counters/counters.h"
#include "apps/output/result.h"

namespace draftgauge {

/// What was counted, without what the file's reader notes of it; and the numbers called acceptance rate, each by its
/// name with the engine's word beside it.
Section counts_section(EngineCounters const& counters);
Section rates_section(EngineCounters const& counters);

/// Tokens per round of each data set or run, where a few are told apart by names.
std::optional<Section> parts_section(EngineCounters const& counters);

/// "after.txt less before.txt: vLLM metrics", "page.txt: vLLM metrics, from the server's start on"
std::string counters_text(EngineCounters const& counters);

/// That what is told apart are no requests, where it is several; else empty.
std::string unit_text(EngineCounters const& counters);

}  // namespace draftgauge
