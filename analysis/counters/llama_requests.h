#pragma once
#include "analysis/counters/counters.h"

namespace draftgauge {

/// Rounds of a request of llama-server, which it does not write: its first token comes of the prompt's pass, each round
/// gives those that it keeps and one more. False where there would be fewer than none.
bool rounds_of_llama_request(CounterSums& sums);

}  // namespace draftgauge
