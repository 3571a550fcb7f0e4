#pragma once
#include <string>
#include <string_view>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// What llama.cpp's examples print at their end: n_draft, n_predict, n_drafted, n_accept. Rounds are
/// n_predict − n_accept.
void read_llama_example(std::string const& file, std::string_view text, EngineCounters& counters);

/// Of a program whose first round, on the prompt's last token, has no draft.
void take_first_round_alone(EngineCounters& counters);

/// llama-lookup times its drafts twice, which no other example does.
bool is_llama_lookup(std::string_view text);

}  // namespace draftgauge
