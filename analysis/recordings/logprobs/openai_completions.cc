
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs/logprob_form.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge::forms {
namespace {

using Json = nlohmann::json;

ScoredText read_completions(ServerResponse& response, ScoredPart const& part) {
  Json const& logprobs = *member(part.at, {"logprobs"});
  Json const& names = *member(logprobs, {"tokens"});
  if (!names.is_array() || names.empty())
    response.refuse("logprobs.tokens is " + shown(names), "expected: a list of tokens", "correct it");
  Json const& own = response.list(logprobs, "token_logprobs", names.size());
  Json const* top =
      member(logprobs, {"top_logprobs"}) ? &response.list(logprobs, "top_logprobs", names.size()) : nullptr;
  ScoredText text{.format = "OpenAI completions logprobs", .first = 0, .tokens = {}, .list = "logprobs.tokens"};
  std::size_t end = names.size();
  if (own.front().is_null()) {  // the prompt is echoed
    std::optional<std::int64_t> prompt = part.prompt;
    if (Json const* length = member_at(part.body, {"usage", "prompt_tokens"}); length && !prompt) {
      if (Json const& choices = *member(part.body, {"choices"}); choices.size() > 1)
        response.refuse(fmt::format("usage.prompt_tokens is of {} choices together", choices.size()),
                        "their prompts may differ, and the target did not write those",
                        "add n_prompt to the record, or ask for one text in a request");
      prompt = count_of(response.place(), "usage.prompt_tokens", *length);
      // The prompt is the text that was to be scored, less its first token.
      auto const counted = static_cast<std::size_t>(*prompt);
      if (counted >= 1 && counted <= end && ServerResponse::scores_prompt(counted - 1, end - counted)) {
        end = counted;
        prompt = 1;
        text.note = ServerResponse::whole_prompt_note(text.list);
      }
    }
    text.first = response.text_begin(prompt, "logprobs.tokens", names.size());
  }
  for (auto i = static_cast<std::size_t>(text.first); i < end; ++i) {
    response.at("logprobs.tokens", i);
    if (!names[i].is_string()) response.refuse("it is " + shown(names[i]), "expected: a token's text", "correct it");
    std::string const own_name = response.text_name(names[i].get<std::string>());
    TokenListing listing{.kind = TokenListing::Kind::mixed, .there = top != nullptr};
    if (top && !(*top)[i].is_object() && !(*top)[i].is_null())
      response.refuse("its entry of top_logprobs is " + shown((*top)[i]), "expected: logarithms by token, or null",
                      "correct it");
    if (top && (*top)[i].is_object())
      for (auto const& [name, value] : (*top)[i].items())
        listing.tokens.push_back({response.text_name(name), response.log_prob("top_logprobs", value)});
    text.tokens.push_back(
        with_list(response, own_name, response.log_prob("token_logprobs", own[i]), std::move(listing)));
  }
  return text;
}

}  // namespace

// choices[].logprobs = {tokens[], token_logprobs[], top_logprobs[]}
LogprobForm openai_completions() {
  return {.server = "OpenAI's interface",
          .keys = "choices[].logprobs.tokens",
          .holds =
              [](ScoredPart const& part) {
                return part.choice && member_at(part.at, {"logprobs", "tokens"});
              },
          .read = read_completions};
}

}  // namespace draftgauge::forms
