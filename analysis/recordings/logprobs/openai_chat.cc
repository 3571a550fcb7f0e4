#include <fmt/format.h>

#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs/logprob_form.h"

namespace draftgauge::forms {

// choices[].logprobs.content[] = {token, logprob, bytes, top_logprobs[]}; with `id`, llama.cpp
LogprobForm openai_chat() {
  return {.server = "OpenAI's interface",
          .keys = "choices[].logprobs.content",
          .holds =
              [](ScoredPart const& part) {
                return part.choice && member_at(part.at, {"logprobs", "content"});
              },
          .read =
              [](ServerResponse& response, ScoredPart const& part) {
                nlohmann::json const& content = *member_at(part.at, {"logprobs", "content"});
                std::string const list = fmt::format("choices[{}].logprobs.content", *part.choice);
                std::vector<ModelToken> tokens = tokens_of_entries(response, list, content);
                bool const llama = content.is_array() && !content.empty() && member(content.front(), {"id"});
                return ScoredText{.format = llama ? "llama.cpp logprobs" : "OpenAI chat logprobs",
                                  .first = 0,
                                  .tokens = std::move(tokens),
                                  .list = list};
              }};
}

}  // namespace draftgauge::forms
