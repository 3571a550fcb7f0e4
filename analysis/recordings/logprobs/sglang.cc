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
    TokenListing listing{.there = top != nullptr};
    if (top && (*top)[i].is_array())
      for (Json const& each : (*top)[i]) listing.tokens.push_back(triple(response, each));
    ModelToken& token =
        tokens.emplace_back(with_list(response, std::move(own.name), own.log_prob, std::move(listing)));
    if (entries[i].size() > 2) token.text = text_or_empty(&entries[i][2]);
  }
  return tokens;
}

constexpr std::string_view sglang_input = "input_token_logprobs";

/// The first of these that has a logarithm: SGLang has none of the first token that it was asked for.
std::size_t first_scored(Json const& entries) {
  std::size_t i = 0;
  while (i < entries.size() && entries[i].is_array() && !entries[i].empty() && entries[i][0].is_null()) ++i;
  return i;
}

/// SGLang scores the prompt (input) and what it generated (output). A text that is in the prompt is what lies behind
/// its first n_prompt tokens, else it is the output, but for a request that generates a token at most and scores
/// several. With logprob_start_len the input's list begins later.
ScoredText read_meta_info(ServerResponse& response, ScoredPart const& part) {
  Json const& meta = *member(part.body, {"meta_info"});
  Json const* input = list_in(meta, "input_token_logprobs");
  Json const* output = list_in(meta, "output_token_logprobs");
  std::int64_t length = input ? static_cast<std::int64_t>(input->size()) : 0;
  if (Json const* all = member(meta, {"prompt_tokens"}))
    length = std::max(length, count_of(response.place(), "meta_info.prompt_tokens", *all));
  std::size_t const skip = input ? first_scored(*input) : 0, scored = input ? input->size() - skip : 0;
  if (!part.prompt && ServerResponse::scores_prompt(scored, output ? output->size() : 0))
    return {.format = "SGLang input_token_logprobs",
            .first = length - static_cast<std::int64_t>(scored),
            .tokens = triples(response, meta, std::string(sglang_input), *input, "input_top_logprobs", skip),
            .list = std::string(sglang_input),
            .note = ServerResponse::whole_prompt_note(sglang_input)};
  bool const text_is_input = input && part.prompt && length > *part.prompt;
  if (!text_is_input && output)
    return {.format = "SGLang output_token_logprobs",
            .first = 0,
            .tokens = triples(response, meta, "output_token_logprobs", *output, "output_top_logprobs", 0),
            .list = "output_token_logprobs",
            .note = scored > 1 && !part.prompt
                        ? "What the servers generated is the text: scored tokens of the prompts are passed over."
                        : ""};
  std::int64_t const begin =
      response.text_begin(part.prompt, "input_token_logprobs", static_cast<std::size_t>(length));
  std::int64_t const skipped = length - static_cast<std::int64_t>(input->size());
  if (begin < skipped) {
    response.refuse(fmt::format("input_token_logprobs begins at token {}, the text at {}", skipped, begin),
                    "the text's first tokens are not scored", "ask with a smaller logprob_start_len");
  }
  return {.format = "SGLang input_token_logprobs",
          .first = begin,
          .tokens = triples(response, meta, std::string(sglang_input), *input, "input_top_logprobs",
                            static_cast<std::size_t>(begin - skipped)),
          .list = std::string(sglang_input)};
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
