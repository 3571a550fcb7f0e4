#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs/logprob_form.h"

namespace draftgauge::forms {

// completion_probabilities[] = {id, token, logprob or prob, top_logprobs or top_probs}
LogprobForm llama_completion() {
  return {.server = "llama.cpp",
          .keys = "completion_probabilities",
          .holds = [](ScoredPart const& part) { return member(part.body, {"completion_probabilities"}) != nullptr; },
          .read =
              [](ServerResponse& response, ScoredPart const& part) {
                return ScoredText{"llama.cpp completion_probabilities", 0,
                                  tokens_of_entries(response, "completion_probabilities",
                                                    *member(part.body, {"completion_probabilities"}))};
              }};
}

}  // namespace draftgauge::forms
