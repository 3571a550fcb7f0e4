#pragma once
#include <nlohmann/json_fwd.hpp>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// Rounds of a request of llama-server, which it does not write: its first token comes of the prompt's pass, each round
/// gives those that it keeps and one more. False where there would be fewer than none.
bool rounds_of_llama_request(CounterSums& sums);

/// The timings of a response, or a record that is such timings alone, as `jq .timings` leaves them; null where it has
/// none.
nlohmann::json const* timings_of(nlohmann::json const& record);

}  // namespace draftgauge
