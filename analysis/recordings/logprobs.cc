#include "analysis/recordings/logprobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

/// Lists in single precision sum to 1 within far less; logits or two laws mixed up, to something else.
constexpr double most_mass = 1.001;
/// What OpenAI's and vLLM's servers write for minus infinity.
constexpr double stands_for_none = -9999;

constexpr auto prompt_keys = {"n_prompt", "prompt_len", "num_prompt_tokens", "prompt_tokens"};

/// One response's place, and the reading of its parts.
class Response {
 public:
  Response(std::string place, std::optional<bool>& ids) : place_(std::move(place)), ids_(ids) {}

  void at(std::string const& list, std::size_t index) { at_ = fmt::format(", {}[{}]", list, index); }
  std::string place() const { return place_ + at_; }
  std::string const& record() const { return place_; }

  [[noreturn]] void refuse(std::string const& problem, std::string const& why, std::string const& what) const {
    throw InputError(place() + ": " + problem + " (" + why + ")", what);
  }

  double log_prob(std::string_view field, Json const& value) const {
    double const number = real_of(place(), field, value);
    if (number > log_rounding) {
      refuse(fmt::format("{} is {}", field, number), "expected: a natural logarithm of a probability, at most 0",
             "ask for log-probabilities, not for logits");
    }
    return number <= stands_for_none ? -std::numeric_limits<double>::infinity() : std::min(number, 0.0);
  }

  /// From the member logprob, or from prob; empty where there is neither.
  std::optional<double> log_prob_in(Json const& entry) const {
    if (Json const* value = member(entry, {"logprob"})) return log_prob("logprob", *value);
    Json const* value = member(entry, {"prob"});
    if (!value) return {};
    double const prob = real_of(place(), "prob", *value);
    if (!(prob >= 0 && prob <= 1 + log_rounding)) {
      refuse(fmt::format("prob is {}", prob), "expected: a probability", "correct it");
    }
    return std::min(std::log(prob), 0.0);
  }

  std::string id_name(Json const& value) const {
    note_ids(true);
    return std::to_string(count_of(place(), "the token's id", value));
  }
  std::string text_name(std::string_view text) const {
    constexpr std::string_view prefix = "token_id:";
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      std::optional<std::int64_t> const id = parse_integer(text);
      if (!id || *id < 0) refuse("the token is " + in_quotes(text), "expected: token_id:NUMBER", "correct it");
      note_ids(true);
      return std::to_string(*id);
    }
    note_ids(false);
    return std::string(text);
  }
  /// By the first of id, bytes and text that there is: two tokens may have one text, where it is not UTF-8.
  std::string name_in(Json const& entry) const {
    if (Json const* id = member(entry, {"id"})) return id_name(*id);
    Json const* text = member(entry, {"token", "tok_str", "content"});
    if (!text || !text->is_string()) {
      refuse("there is no token (its keys: " + keys_of(entry) + ")", "expected: id or token", "correct it");
    }
    auto const& token = text->get_ref<std::string const&>();
    Json const* bytes = member(entry, {"bytes"});
    if (token.starts_with("token_id:") || !bytes || !bytes->is_array() || bytes->empty()) return text_name(token);
    note_ids(false);
    std::string name;
    for (Json const& byte : *bytes) name += static_cast<char>(count_of(place(), "a byte", byte) & 0xff);
    return name;
  }

 private:
  void note_ids(bool ids) const {
    if (ids_ && *ids_ != ids) {
      refuse("tokens are named by id here and by text elsewhere", "they cannot be compared",
             "ask for token ids (return_tokens_as_token_ids)");
    }
    ids_ = ids;
  }

  std::string place_, at_;
  std::optional<bool>& ids_;
};

/// What a server lists at a position.
struct Listing {
  enum class Kind {
    top,    ///< the k most likely
    mixed,  ///< the k most likely, and the text's own token where that is none of them
  };
  Kind kind = Kind::top;
  std::vector<ListedToken> tokens;
  /// Of a mixed list whose tokens have ranks: that of its own token. With a rank of at most the list's length it
  /// would be one of the most likely even if it was added to them.
  std::optional<std::int64_t> own_rank;
};

/// Sorts by name. Names that stand twice are tokens that cannot be told apart: they are taken as not listed.
void drop_twins(std::vector<ListedToken>& tokens, double& most_unlisted) {
  std::ranges::sort(tokens, {}, &ListedToken::name);
  std::vector<ListedToken> kept;
  for (auto at = tokens.begin(); at != tokens.end();) {
    auto const next = std::find_if(at, tokens.end(), [&](ListedToken const& t) { return t.name != at->name; });
    if (next - at == 1) {
      kept.push_back(std::move(*at));
    } else {
      for (auto twin = at; twin != next; ++twin) most_unlisted = std::max(most_unlisted, std::exp(twin->log_prob));
    }
    at = next;
  }
  tokens = std::move(kept);
}

ModelToken with_list(Response const& response, std::string name, double log_prob, Listing listing) {
  ModelToken token{.name = std::move(name),
                   .log_prob = log_prob,
                   .law = {},
                   .most_likely = {},
                   .max_prob = {},
                   .rank = listing.own_rank};
  auto& listed = listing.tokens;
  bool const knows_top =
      listing.kind == Listing::Kind::top ? !listed.empty() : listed.size() > 1 || listing.own_rank == 1;
  double largest = log_prob, smallest_top = 0;
  for (ListedToken const& each : listed) {
    largest = std::max(largest, each.log_prob);
    bool const is_top = listing.kind == Listing::Kind::top || each.name != token.name ||
                        listing.own_rank.value_or(std::numeric_limits<std::int64_t>::max()) <=
                            static_cast<std::int64_t>(listed.size());
    if (is_top) smallest_top = std::min(smallest_top, each.log_prob);
  }
  if (knows_top) {
    token.most_likely = log_prob >= largest;
    token.max_prob = std::exp(largest);
    token.law.most_unlisted = std::exp(smallest_top);
  }
  if (std::ranges::find(listed, token.name, &ListedToken::name) == listed.end())
    listed.push_back({token.name, log_prob});
  drop_twins(listed, token.law.most_unlisted);
  double mass = 0;
  for (ListedToken const& each : listed) mass += std::exp(each.log_prob);
  if (mass > most_mass) {
    response.refuse(fmt::format("the listed tokens' probabilities sum to {:.6g}", mass),
                    "expected: at most 1, since they are of one distribution",
                    "ask for log-probabilities (vLLM: --logprobs-mode processed_logprobs), not for logits");
  }
  token.law.tokens = std::move(listed);
  return token;
}

/// vLLM: {"ID": {"logprob": …, "rank": …}, …} or {"ID": logprob, …}. `id` is the text's token where it is known.
ModelToken token_of_map(Response const& response, Json const& map, std::string const& id) {
  if (!map.is_object() || map.empty())
    response.refuse("it is " + shown(map), "expected: the listed tokens by id", "score the whole text");
  Listing listing{.kind = Listing::Kind::mixed, .tokens = {}, .own_rank = {}};
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
  if (auto const entry = map.find(own); entry != map.end())
    if (Json const* rank = member(*entry, {"rank"})) listing.own_rank = count_of(response.place(), "rank", *rank);
  return with_list(response, own, log_prob, std::move(listing));
}

/// OpenAI chat and llama.cpp: an object with the token, its logarithm, and a list of such objects.
ModelToken token_of_entry(Response const& response, Json const& entry) {
  std::string name = response.name_in(entry);
  Listing listing;
  if (Json const* top = member(entry, {"top_logprobs", "top_probs", "probs"})) {
    if (!top->is_array()) response.refuse("its list is " + shown(*top), "expected: a list of tokens", "correct it");
    for (Json const& each : *top) {
      std::optional<double> const log_prob = response.log_prob_in(each);
      if (!log_prob) response.refuse("a listed token has no logprob", "expected: logprob or prob", "correct it");
      listing.tokens.push_back({response.name_in(each), *log_prob});
    }
  }
  std::optional<double> own = response.log_prob_in(entry);
  if (!own) {
    auto const found = std::ranges::find(listing.tokens, name, &ListedToken::name);
    if (found == listing.tokens.end()) {
      response.refuse("the text's token " + in_quotes(name) + " has no logprob and is not among those listed",
                      "its own probability is needed, a bound does not do",
                      "use a server that gives it, or list more");
    }
    own = found->log_prob;
  }
  return with_list(response, std::move(name), *own, std::move(listing));
}

/// llama.cpp's server checks several drafted tokens in one pass and gives those that it accepts 0 and an empty list.
void check_filled_in(Response& response, std::string const& list, std::vector<ModelToken> const& tokens) {
  auto const empty = [](ModelToken const& t) { return t.log_prob == 0 && !t.max_prob; };
  bool const some = std::ranges::any_of(tokens, [](ModelToken const& t) { return t.max_prob.has_value(); });
  if (!some && !std::ranges::all_of(tokens, empty)) return;
  auto const found = std::ranges::find_if(tokens, empty);
  if (found == tokens.end()) return;
  response.at(list, static_cast<std::size_t>(found - tokens.begin()));
  response.refuse(fmt::format("token {} has a logprob of 0 and an empty list", in_quotes(found->name)),
                  "the server filled it in: llama.cpp does so for drafted tokens that it accepts",
                  "record with speculation off, or score the text afterwards");
}

std::vector<ModelToken> tokens_of_entries(Response& response, std::string const& list, Json const& entries) {
  if (!entries.is_array()) response.refuse(list + " is " + shown(entries), "expected: a list", "correct it");
  std::vector<ModelToken> tokens;
  for (Json const& entry : entries) {
    response.at(list, tokens.size());
    tokens.push_back(token_of_entry(response, entry));
  }
  check_filled_in(response, list, tokens);
  return tokens;
}

Json const& list_member(Response const& response, Json const& object, std::string_view name, std::size_t size) {
  Json const* list = member(object, {name});
  if (!list || !list->is_array() || list->size() != size) {
    response.refuse(fmt::format("{} is {}", name, list ? shown(*list) : "missing"),
                    fmt::format("expected: a list of {}, one for each token", size), "correct it");
  }
  return *list;
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
    recording_.ids = ids_.value_or(true);
    return std::move(recording_);
  }

 private:
  void take(std::string const& place, Json const& record) {
    Response response(place, ids_);
    Json const* body = &record;
    for (Json const* at :
         {member(record, {"response"}), member(record, {"body"}), member_at(record, {"response", "body"})})
      if (at && member(*at, {"prompt_logprobs", "choices", "meta_info", "completion_probabilities"})) body = at;
    prompt_ = prompt_of(response, record, *body);
    Json const* id = member(record, {"request_id", "custom_id", "seq", "id"});
    if (!id) id = member(*body, {"request_id", "id"});
    std::string const name = !id ? "" : id->is_string() ? id->get<std::string>() : id->dump();

    if (Json const* choices = member(*body, {"choices"}); choices && choices->is_array() && !choices->empty()) {
      for (std::size_t i = 0; i < choices->size(); ++i) {
        std::string const title = choices->size() == 1 ? name : fmt::format("{}#{}", name, i);
        take_choice(response, title, *body, (*choices)[i], i);
      }
    } else if (Json const* entries = member(*body, {"completion_probabilities"})) {
      add(response, name, "llama.cpp completion_probabilities", 0,
          tokens_of_entries(response, "completion_probabilities", *entries));
    } else if (Json const* meta = member(*body, {"meta_info"})) {
      take_meta_info(response, name, *meta);
    } else if (Json const* prompt = member(*body, {"prompt_logprobs"})) {
      take_prompt(response, name, *prompt, member(*body, {"prompt_token_ids"}));
    } else {
      response.refuse("there are no log-probabilities (its keys: " + keys_of(record) + ")",
                      "known: prompt_logprobs, choices[].logprobs, meta_info, completion_probabilities",
                      "ask the server for them");
    }
  }

  std::optional<std::int64_t> prompt_of(Response const& response, Json const& record, Json const& body) const {
    for (Json const* object : {&record, &body})
      for (auto const key : prompt_keys)
        if (Json const* value = member(*object, {key})) {
          if (value->is_array()) return static_cast<std::int64_t>(value->size());
          return count_of(response.place(), key, *value);
        }
    return options_.prompt_tokens;
  }

  void take_choice(Response& response, std::string const& name, Json const& body, Json const& choice,
                   std::size_t number) {
    Json const* prompt = member(choice, {"prompt_logprobs"});
    if (!prompt) prompt = member(body, {"prompt_logprobs"});
    Json const* logprobs = member(choice, {"logprobs"});
    bool const text_is_prompt =
        prompt && prompt_ && prompt->is_array() && static_cast<std::int64_t>(prompt->size()) > *prompt_;
    if (prompt && (text_is_prompt || !logprobs)) {
      Json const* ids = member(choice, {"prompt_token_ids"});
      take_prompt(response, name, *prompt, ids ? ids : member(body, {"prompt_token_ids"}));
    } else if (Json const* content = logprobs ? member(*logprobs, {"content"}) : nullptr) {
      std::string const list = fmt::format("choices[{}].logprobs.content", number);
      std::vector<ModelToken> tokens = tokens_of_entries(response, list, *content);
      bool const llama = content->is_array() && !content->empty() && member(content->front(), {"id"});
      add(response, name, llama ? "llama.cpp logprobs" : "OpenAI chat logprobs", 0, std::move(tokens));
    } else if (logprobs && member(*logprobs, {"tokens"})) {
      take_completion(response, name, body, *logprobs);
    } else {
      response.refuse(fmt::format("choices[{}] has no log-probabilities (its keys: {})", number, keys_of(choice)),
                      "known: logprobs.content, logprobs.tokens, prompt_logprobs", "ask for logprobs in the request");
    }
  }

  /// Where the text begins in a list that starts with the prompt. A first entry of null is a token with nothing before
  /// it, which no server scores.
  std::int64_t text_begin(Response const& response, std::string_view list, std::size_t size) const {
    if (!prompt_) {
      response.refuse(fmt::format("how many tokens of {} are the prompt's is not said", list),
                      "the target did not write those", "add n_prompt to the record, or give the prompt's length");
    }
    std::int64_t const begin = std::max<std::int64_t>(*prompt_, 1);
    if (begin >= static_cast<std::int64_t>(size)) {
      response.refuse(fmt::format("{} has {} tokens, of which the prompt has {}", list, size, *prompt_),
                      "no text is left to score", "correct the prompt's length, or score prompt and text together");
    }
    return begin;
  }

  void take_prompt(Response& response, std::string const& name, Json const& entries, Json const* ids) {
    if (!entries.is_array())
      response.refuse("prompt_logprobs is " + shown(entries), "expected: a list", "correct it");
    if (ids && (!ids->is_array() || ids->size() != entries.size())) {
      response.refuse(
          fmt::format("prompt_token_ids is {}, prompt_logprobs a list of {}", shown(*ids), entries.size()),
          "expected: one id for each token", "correct it");
    }
    std::int64_t const begin = text_begin(response, "prompt_logprobs", entries.size());
    std::vector<ModelToken> tokens;
    for (auto i = static_cast<std::size_t>(begin); i < entries.size(); ++i) {
      response.at("prompt_logprobs", i);
      std::string const id = ids ? response.id_name((*ids)[i]) : "";
      tokens.push_back(token_of_map(response, entries[i], id));
    }
    ids_ = true;
    add(response, name, "vLLM prompt_logprobs", begin, std::move(tokens));
  }

  void take_completion(Response& response, std::string const& name, Json const& body, Json const& logprobs) {
    Json const& names = *member(logprobs, {"tokens"});
    if (!names.is_array() || names.empty())
      response.refuse("logprobs.tokens is " + shown(names), "expected: a list of tokens", "correct it");
    Json const& own = list_member(response, logprobs, "token_logprobs", names.size());
    Json const* top =
        member(logprobs, {"top_logprobs"}) ? &list_member(response, logprobs, "top_logprobs", names.size()) : nullptr;
    std::int64_t begin = 0;
    if (own.front().is_null()) {  // the prompt is echoed
      if (Json const* length = member_at(body, {"usage", "prompt_tokens"}); length && !prompt_)
        prompt_ = count_of(response.place(), "usage.prompt_tokens", *length);
      begin = text_begin(response, "logprobs.tokens", names.size());
    }
    std::vector<ModelToken> tokens;
    for (auto i = static_cast<std::size_t>(begin); i < names.size(); ++i) {
      response.at("logprobs.tokens", i);
      if (!names[i].is_string())
        response.refuse("it is " + shown(names[i]), "expected: a token's text", "correct it");
      std::string const own_name = response.text_name(names[i].get<std::string>());
      Listing listing{.kind = Listing::Kind::mixed, .tokens = {}, .own_rank = {}};
      if (top && (*top)[i].is_object())
        for (auto const& [text, value] : (*top)[i].items())
          listing.tokens.push_back({response.text_name(text), response.log_prob("top_logprobs", value)});
      tokens.push_back(
          with_list(response, own_name, response.log_prob("token_logprobs", own[i]), std::move(listing)));
    }
    add(response, name, "OpenAI completions logprobs", begin, std::move(tokens));
  }

  /// SGLang scores the prompt (input) and what it generated (output). A text that is in the prompt is what lies behind
  /// its first n_prompt tokens, else it is the output. With logprob_start_len the input's list begins later.
  void take_meta_info(Response& response, std::string const& name, Json const& meta) {
    Json const* input = member(meta, {"input_token_logprobs"});
    Json const* output = member(meta, {"output_token_logprobs"});
    bool const has_input = input && input->is_array() && !input->empty();
    bool const has_output = output && output->is_array() && !output->empty();
    if (!has_input && !has_output) {
      response.refuse("meta_info has neither input_token_logprobs nor output_token_logprobs",
                      "they are given on request", "ask with return_logprob and logprob_start_len");
    }
    std::int64_t length = has_input ? static_cast<std::int64_t>(input->size()) : 0;
    if (Json const* all = member(meta, {"prompt_tokens"}))
      length = std::max(length, count_of(response.place(), "meta_info.prompt_tokens", *all));
    bool const text_is_input = has_input && prompt_ && length > *prompt_;
    if (!text_is_input && has_output) {
      add(response, name, "SGLang output_token_logprobs", 0,
          triples(response, meta, "output_token_logprobs", *output, "output_top_logprobs", 0));
      return;
    }
    std::int64_t const begin = text_begin(response, "input_token_logprobs", static_cast<std::size_t>(length));
    std::int64_t const skipped = length - static_cast<std::int64_t>(input->size());
    if (begin < skipped) {
      response.refuse(fmt::format("input_token_logprobs begins at token {}, the text at {}", skipped, begin),
                      "the text's first tokens are not scored", "ask with a smaller logprob_start_len");
    }
    add(response, name, "SGLang input_token_logprobs", begin,
        triples(response, meta, "input_token_logprobs", *input, "input_top_logprobs",
                static_cast<std::size_t>(begin - skipped)));
  }

  static ListedToken triple(Response const& response, Json const& entry) {
    if (!entry.is_array() || entry.size() < 2)
      response.refuse("it is " + shown(entry), "expected: [logprob, id, text]", "correct it");
    return {response.id_name(entry[1]), response.log_prob("logprob", entry[0])};
  }

  static std::vector<ModelToken> triples(Response& response, Json const& meta, std::string const& list,
                                         Json const& entries, std::string_view top_name, std::size_t begin) {
    Json const* top = member(meta, {top_name}) ? &list_member(response, meta, top_name, entries.size()) : nullptr;
    std::vector<ModelToken> tokens;
    for (std::size_t i = begin; i < entries.size(); ++i) {
      response.at(list, i);
      ListedToken own = triple(response, entries[i]);
      Listing listing;
      if (top && (*top)[i].is_array())
        for (Json const& each : (*top)[i]) listing.tokens.push_back(triple(response, each));
      tokens.push_back(with_list(response, std::move(own.name), own.log_prob, std::move(listing)));
    }
    return tokens;
  }

  void add(Response const& response, std::string const& name, std::string const& format, std::int64_t first,
           std::vector<ModelToken> tokens) {
    if (tokens.empty()) {
      throw InputError(response.record() + ": it has no token (a text of none says nothing)",
                       "leave the record out, or ask for logprobs");
    }
    if (!recording_.format.empty() && recording_.format != format) {
      throw InputError(fmt::format("{}: it is {}, records before it are {} (a file is of one kind)",
                                   response.record(), format, recording_.format),
                       "give each a file of its own");
    }
    recording_.format = format;
    recording_.texts.push_back({name, response.record(), first, std::move(tokens)});
  }

  LogprobOptions const& options_;
  ModelRecording recording_;
  std::optional<bool> ids_;
  std::optional<std::int64_t> prompt_;  ///< of the record that is read
};

}  // namespace

ModelRecording read_logprobs(std::string const& file, std::string_view text, LogprobOptions const& options) {
  return LogprobReader(file, options).read(text);
}

}  // namespace draftgauge
