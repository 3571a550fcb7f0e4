#include <fmt/format.h>

#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs/logprob_form.h"

namespace draftgauge::forms {
namespace {

using Json = nlohmann::json;

/// Null where it is not there or has nothing.
Json const* list_in(Json const& meta, std::string_view name) {
  Json const* list = member(meta, {name});
  return list && list->is_array() && !list->empty() ? list : nullptr;
}

ListedToken triple(ServerResponse const& response, Json const& entry) {
  if (!entry.is_array() || entry.size() < 2)
    response.refuse("it is " + shown(entry), "expected: [logprob, id, text]", "correct it");
  return {response.id_name(entry[1]), response.log_prob("logprob", entry[0])};
}

std::vector<ModelToken> triples(ServerResponse& response, Json const& meta, std::string const& list,
                                Json const& entries, std::string_view top_name, std::size_t begin) {
  Json const* top = member(meta, {top_name}) ? &response.list(meta, top_name, entries.size()) : nullptr;
  std::vector<ModelToken> tokens;
  for (std::size_t i = begin; i < entries.size(); ++i) {
    response.at(list, i);
    ListedToken own = triple(response, entries[i]);
    TokenListing listing;
    if (top && (*top)[i].is_array())
      for (Json const& each : (*top)[i]) listing.tokens.push_back(triple(response, each));
    tokens.push_back(with_list(response, std::move(own.name), own.log_prob, std::move(listing)));
  }
  return tokens;
}

/// SGLang scores the prompt (input) and what it generated (output). A text that is in the prompt is what lies behind
/// its first n_prompt tokens, else it is the output. With logprob_start_len the input's list begins later.
ScoredText read_meta_info(ServerResponse& response, ScoredPart const& part) {
  Json const& meta = *member(part.body, {"meta_info"});
  Json const* input = list_in(meta, "input_token_logprobs");
  Json const* output = list_in(meta, "output_token_logprobs");
  std::int64_t length = input ? static_cast<std::int64_t>(input->size()) : 0;
  if (Json const* all = member(meta, {"prompt_tokens"}))
    length = std::max(length, count_of(response.place(), "meta_info.prompt_tokens", *all));
  bool const text_is_input = input && part.prompt && length > *part.prompt;
  if (!text_is_input && output)
    return {"SGLang output_token_logprobs", 0,
            triples(response, meta, "output_token_logprobs", *output, "output_top_logprobs", 0)};
  std::int64_t const begin =
      response.text_begin(part.prompt, "input_token_logprobs", static_cast<std::size_t>(length));
  std::int64_t const skipped = length - static_cast<std::int64_t>(input->size());
  if (begin < skipped) {
    response.refuse(fmt::format("input_token_logprobs begins at token {}, the text at {}", skipped, begin),
                    "the text's first tokens are not scored", "ask with a smaller logprob_start_len");
  }
  return {"SGLang input_token_logprobs", begin,
          triples(response, meta, "input_token_logprobs", *input, "input_top_logprobs",
                  static_cast<std::size_t>(begin - skipped))};
}

}  // namespace

// meta_info.input_token_logprobs[] = [logprob, id, text], output_…, input_top_logprobs, output_…
LogprobForm sglang() {
  return {.server = "SGLang",
          .keys = "meta_info",
          .holds =
              [](ScoredPart const& part) {
                Json const* meta = member(part.body, {"meta_info"});
                return meta && (list_in(*meta, "input_token_logprobs") || list_in(*meta, "output_token_logprobs"));
              },
          .read = read_meta_info};
}

}  // namespace draftgauge::forms
