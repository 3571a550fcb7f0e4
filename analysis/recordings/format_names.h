#pragma once
#include <string>

namespace draftgauge {

/// "vLLM, …": the engines that write them.
std::string counter_engines();
/// "num_requests_running of vLLM metrics, …": by what formats say how many sequences were decoded at once.
std::string counter_words_at_once();
/// "vLLM bench, …": the formats that may say what one sequence waited for a token.
std::string counter_formats_with_times();

}  // namespace draftgauge
