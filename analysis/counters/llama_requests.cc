#include "analysis/counters/llama_requests.h"

#include "analysis/counters/json_fields.h"

namespace draftgauge {

bool rounds_of_llama_request(CounterSums& sums) {
  if (!sums.emitted || !sums.accepted) return true;
  if (*sums.accepted == 0 && (*sums.emitted == 0 || sums.drafted == 0)) {  // no round had a draft
    sums.rounds = 0;
    return true;
  }
  sums.rounds = *sums.emitted - 1 - *sums.accepted;
  return *sums.rounds >= 0;
}

nlohmann::json const* timings_of(nlohmann::json const& record) {
  nlohmann::json const* const timings = holder(record, {"timings"});
  if (timings) return member(*timings, {"predicted_n"}) ? timings : nullptr;
  return member(record, {"predicted_n"}) && member(record, {"predicted_ms"}) ? &record : nullptr;
}

}  // namespace draftgauge
