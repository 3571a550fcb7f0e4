#pragma once
#include <string>

namespace draftgauge {

/// "vLLM metrics, vLLM log, …": the formats that counters are read of, for messages.
std::string counter_format_names();
/// "vLLM, …": the engines that write them.
std::string counter_engines();

}  // namespace draftgauge
