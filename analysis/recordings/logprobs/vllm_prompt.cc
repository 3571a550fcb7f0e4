#include <fmt/format.h>

#include <algorithm>

#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs/logprob_form.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge::forms {
namespace {

using Json = nlohmann::json;

/// vLLM: {"ID": {"logprob": …, "rank": …}, …} or {"ID": logprob, …}. `id` is the text's token where it is known.
ModelToken token_of_map(ServerResponse const& response, Json const& map, std::string const& id) {
  if (!map.is_object() || map.empty())
    response.refuse("it is " + shown(map), "expected: the listed tokens by id", "score the whole text");
  TokenListing listing{.kind = TokenListing::Kind::mixed, .there = true};
  std::string own = id.empty() && map.size() == 1 ? map.begin().key() : id;
  for (auto const& [key, entry] : map.items()) {
    std::optional<std::int64_t> const number = parse_integer(key);
    if (!number || *number < 0) response.refuse("a key is " + in_quotes(key), "expected: a token's id", "correct it");
    Json const* value = entry.is_object() ? member(entry, {"logprob"}) : &entry;
    if (!value) response.refuse("token " + key + " has no logprob", "its probability is needed", "correct it");
    listing.tokens.push_back({std::to_string(*number), response.log_prob("logprob", *value)});
    Json const* rank = member(entry, {"rank"});
    // The k most likely have the ranks 1 to k, so that one beyond the list's length is of the token that was added.
    if (rank && id.empty() && count_of(response.place(), "rank", *rank) > static_cast<std::int64_t>(map.size()))
      own = key;
  }
  if (own.empty()) {
    response.refuse(fmt::format("which of the {} listed tokens is the text's own is not said", map.size()),
                    "ranks do not tell here", "ask for return_token_ids, or list none beside it (prompt_logprobs 0)");
  }
  own = std::to_string(parse_integer(own).value());
  auto const found = std::ranges::find(listing.tokens, own, &ListedToken::name);
  if (found == listing.tokens.end()) {
    response.refuse("the text's token " + own + " is not among those listed",
                    "its own probability is needed, a bound does not do",
                    "keep the entry that the server adds for it beside the most likely");
  }
  double const log_prob = found->log_prob;
  auto const entry = map.find(own);
  if (entry != map.end())
    if (Json const* rank = member(*entry, {"rank"})) listing.own_rank = count_of(response.place(), "rank", *rank);
  ModelToken token = with_list(response, own, log_prob, std::move(listing));
  if (entry != map.end()) token.text = text_or_empty(member(*entry, {"decoded_token"}));
  return token;
}

Json const* prompt_logprobs(ScoredPart const& part) {
  Json const* own = member(part.at, {"prompt_logprobs"});
  return own ? own : member(part.body, {"prompt_logprobs"});
}

/// Tokens of a choice whose log-probabilities are listed.
std::size_t generated(ScoredPart const& part) {
  Json const* list = member_at(part.at, {"logprobs", "content"});
  if (!list) list = member_at(part.at, {"logprobs", "tokens"});
  return list && list->is_array() ? list->size() : 0;
}

/// The text may be scored as a prompt, or be what was generated behind one.
bool has_scored_prompt(ScoredPart const& part) {
  Json const* prompt = prompt_logprobs(part);
  if (!prompt) return false;
  bool const text_is_prompt =
      part.prompt && prompt->is_array() && static_cast<std::int64_t>(prompt->size()) > *part.prompt;
  bool const alone =
      !part.prompt && prompt->is_array() && ServerResponse::scores_prompt(prompt->size(), generated(part));
  return text_is_prompt || alone || !part.choice || !member(part.at, {"logprobs"});
}

ScoredText read_scored_prompt(ServerResponse& response, ScoredPart const& part) {
  Json const& entries = *prompt_logprobs(part);
  Json const* ids = member(part.at, {"prompt_token_ids"});
  if (!ids) ids = member(part.body, {"prompt_token_ids"});
  if (!entries.is_array()) response.refuse("prompt_logprobs is " + shown(entries), "expected: a list", "correct it");
  if (ids && (!ids->is_array() || ids->size() != entries.size())) {
    response.refuse(fmt::format("prompt_token_ids is {}, prompt_logprobs a list of {}", shown(*ids), entries.size()),
                    "expected: one id for each token", "correct it");
  }
  std::int64_t const begin = response.text_begin(part.prompt, "prompt_logprobs", entries.size());
  ScoredText text{.format = "vLLM prompt_logprobs", .first = begin, .tokens = {}, .list = "prompt_logprobs"};
  for (auto i = static_cast<std::size_t>(begin); i < entries.size(); ++i) {
    response.at("prompt_logprobs", i);
    std::string const id = ids ? response.id_name((*ids)[i]) : "";
    text.tokens.push_back(token_of_map(response, entries[i], id));
  }
  response.note_ids(true);
  return text;
}

}  // namespace

// prompt_logprobs[] = {ID: {logprob, rank}} or {ID: logprob}, in the response or in choices[0]
LogprobForm vllm_prompt() {
  return {.server = "vLLM", .keys = "prompt_logprobs", .holds = has_scored_prompt, .read = read_scored_prompt};
}

}  // namespace draftgauge::forms
