#pragma once
#include <string>

namespace draftgauge {

/// "vLLM metrics, vLLM log, …": the formats that counters are read of, for messages.
std::string counter_format_names();

}  // namespace draftgauge
