#include "analysis/recordings/logprobs/logprobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "analysis/recordings/certain_texts.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs/logprob_form.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

constexpr auto prompt_keys = {"n_prompt", "prompt_len", "num_prompt_tokens", "prompt_tokens"};

/// A server that checks several drafted tokens in one pass may give those that it accepts 0, and no list where others
/// have one: llama.cpp does.
void require_no_fill(ServerResponse& response, ScoredText const& text) {
  auto const filled = [](ModelToken const& t) { return t.log_prob == 0 && t.listed.value_or(0) == 0; };
  auto const found = std::ranges::find_if(text.tokens, filled);
  bool const some = std::ranges::any_of(text.tokens, [](ModelToken const& t) { return t.listed.value_or(0) > 0; });
  bool const all = std::ranges::all_of(text.tokens, [&](ModelToken const& t) { return filled(t) && t.listed; });
  if (found == text.tokens.end() || (!some && !all)) return;
  response.at(text.list, static_cast<std::size_t>(text.first + (found - text.tokens.begin())));
  response.refuse(fmt::format("token {} has a logprob of 0 and an empty list", in_quotes(found->name)),
                  "the server filled it in: llama.cpp does so for drafted tokens that it accepts",
                  "record with speculation off, or score the text afterwards");
}

class LogprobReader {
 public:
  LogprobReader(std::string const& file, LogprobOptions const& options) : options_(options) {
    recording_.file = file;
  }

  ModelRecording read(std::string_view text) {
    if (options_.prompt_tokens && *options_.prompt_tokens < 0) {
      throw UsageError(fmt::format("a prompt of {} tokens (a length is at least 0)", *options_.prompt_tokens),
                       "give its number of tokens");
    }
    JsonRecords records(recording_.file, text);
    while (records.next()) take(records.place(), records.value());
    if (recording_.texts.empty())
      throw InputError(recording_.file + ": there is no record in it (one response for each text)", "record again");
    if (auto const base = fit_.other(); base && options_.base.ln == natural.ln)
      throw of_base(recording_.file + ": its log-probabilities are", *base,
                    fmt::format("the listed ones sum to 1 so at all {} places", fit_.looked_at()));
    // Greedy text is certain of each token where servers give what they sample from.
    if (options_.temperature != 0 && !options_.as_given) certain_.require_computed(recording_.file, "logprobs");
    recording_.ids = ids_.value_or(true);
    return std::move(recording_);
  }

 private:
  void take(std::string const& place, Json const& record) {
    Json const& body = response_body(record);
    auto const prompt = prompt_of(place, record, body);
    Json const* id = member(record, {"request_id", "custom_id", "seq", "id"});
    if (!id) id = member(body, {"request_id", "id"});
    std::string const name = id ? text_or_json(*id) : "";
    std::vector<ScoredPart> const parts = parts_of(body);
    for (ScoredPart part : parts) {
      ServerResponse response(place, ids_, options_.base);
      part.prompt = prompt;
      LogprobForm const* const form = form_of(part);
      if (!form)
        response.refuse(fmt::format("{} log-probabilities (its keys: {})",
                                    part.choice ? fmt::format("choices[{}] has no", *part.choice) : "there are no",
                                    keys_of(part.at)),
                        "known: " + logprob_keys(), "ask the server for them");
      add(response, parts.size() == 1 ? name : fmt::format("{}#{}", name, *part.choice), form->read(response, part));
    }
  }

  std::optional<std::int64_t> prompt_of(std::string const& place, Json const& record, Json const& body) const {
    for (Json const* object : {&record, &body})
      for (auto const key : prompt_keys)
        if (Json const* value = member(*object, {key})) return size_or_count_of(place, key, *value);
    return options_.prompt_tokens;
  }

  void add(ServerResponse& response, std::string const& name, ScoredText text) {
    if (text.tokens.empty()) {
      throw InputError(response.record() + ": it has no token (a text of none says nothing)",
                       "leave the record out, or ask for logprobs");
    }
    if (!options_.as_given) require_no_fill(response, text);
    certain_.take(text.tokens | std::views::transform(&ModelToken::log_prob));
    for (ModelToken const& token : text.tokens) look_at_base(token);
    if (!text.note.empty()) add_once(recording_.notes, text.note);
    if (!recording_.format.empty() && recording_.format != text.format) {
      throw InputError(fmt::format("{}: it is {}, records before it are {} (a file is of one kind)",
                                   response.record(), text.format, recording_.format),
                       "give each a file of its own");
    }
    recording_.format = std::move(text.format);
    recording_.texts.push_back({name, response.record(), text.first, std::move(text.tokens)});
  }

  void look_at_base(ModelToken const& token) {
    if (token.law.tokens.size() < 2) return;
    std::vector<double> logarithms;
    for (ListedToken const& each : token.law.tokens) logarithms.push_back(each.log_prob);
    fit_.take_distribution(logarithms);
  }

  LogprobOptions const& options_;
  ModelRecording recording_;
  BaseFit fit_;
  CertainTexts certain_;
  std::optional<bool> ids_;
};

}  // namespace

ModelRecording read_logprobs(std::string const& file, std::string_view text, LogprobOptions const& options) {
  return LogprobReader(file, options).read(text);
}

}  // namespace draftgauge
