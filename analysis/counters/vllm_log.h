#pragma once
#include <string>
#include <string_view>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// Adds up the lines "SpecDecoding metrics: …" of a text, which vLLM writes and LMDeploy took over.
void read_spec_decoding_lines(std::string const& file, std::string_view text, EngineCounters& counters);

/// Whether the text has such a line of LMDeploy, which has its throughput in it, or one of vLLM.
bool has_spec_decoding_lines(std::string_view text, bool of_lmdeploy);

}  // namespace draftgauge
