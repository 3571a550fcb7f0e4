#include "analysis/counters/llama_requests.h"

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

}  // namespace draftgauge
