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
                std::string const list = "completion_probabilities";
                return ScoredText{.format = "llama.cpp completion_probabilities",
                                  .first = 0,
                                  .tokens = tokens_of_entries(response, list, *member(part.body, {list})),
                                  .list = list};
              }};
}

}  // namespace draftgauge::forms
