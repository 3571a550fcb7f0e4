#include "analysis/recordings/logprobs/server_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

/// Lists in single precision sum to 1 within far less; logits or two laws mixed up, to something else.
constexpr double most_mass = 1.001;
/// What OpenAI's and vLLM's servers write for minus infinity.
constexpr double stands_for_none = -9999;

Json const* text_member(Json const& entry) { return member(entry, {"token", "tok_str", "content"}); }

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

ModelToken token_of_entry(ServerResponse const& response, Json const& entry) {
  std::string name = response.name_in(entry);
  TokenListing listing;
  if (Json const* top = member(entry, {"top_logprobs", "top_probs", "probs"})) {
    if (!top->is_array()) response.refuse("its list is " + shown(*top), "expected: a list of tokens", "correct it");
    listing.there = true;
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
  ModelToken token = with_list(response, std::move(name), *own, std::move(listing));
  token.text = text_or_empty(text_member(entry));
  return token;
}

}  // namespace

void ServerResponse::at(std::string const& list, std::size_t index) { at_ = fmt::format(", {}[{}]", list, index); }

void ServerResponse::refuse(std::string const& problem, std::string const& why, std::string const& what) const {
  refuse_record(place(), problem, why, what);
}

double ServerResponse::log_prob(std::string_view field, Json const& value) const {
  constexpr double none = -std::numeric_limits<double>::infinity();
  if (value.is_string() && parse_real(value.get_ref<std::string const&>()) == none) return none;
  double const written = real_of(place(), field, value),
               number = written <= stands_for_none ? none : base_.ln * written;
  if (number > log_rounding) {
    refuse(fmt::format("{} is {}", field, number), "expected: a natural logarithm of a probability, at most 0",
           "ask for log-probabilities, not for logits");
  }
  return std::min(number, 0.0);
}

std::optional<double> ServerResponse::log_prob_in(Json const& entry) const {
  if (Json const* value = member(entry, {"logprob"})) return log_prob("logprob", *value);
  Json const* value = member(entry, {"prob"});
  if (!value) return {};
  double const prob = real_of(place(), "prob", *value);
  if (!(prob >= 0 && prob <= 1 + log_rounding)) {
    refuse(fmt::format("prob is {}", prob), "expected: a probability", "correct it");
  }
  return std::min(std::log(prob), 0.0);
}

std::string ServerResponse::id_name(Json const& value) const {
  note_ids(true);
  return std::to_string(count_of(place(), "the token's id", value));
}

std::string ServerResponse::text_name(std::string_view text) const {
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

std::string ServerResponse::name_in(Json const& entry) const {
  if (Json const* id = member(entry, {"id"})) return id_name(*id);
  Json const* text = text_member(entry);
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

void ServerResponse::note_ids(bool ids) const {
  if (ids_ && *ids_ != ids) {
    refuse("tokens are named by id here and by text elsewhere", "they cannot be compared",
           "ask for token ids (return_tokens_as_token_ids)");
  }
  ids_ = ids;
}

Json const& ServerResponse::list(Json const& object, std::string_view name, std::size_t size) const {
  Json const* found = member(object, {name});
  if (!found || !found->is_array() || found->size() != size) {
    refuse(fmt::format("{} is {}", name, found ? shown(*found) : "missing"),
           fmt::format("expected: a list of {}, one for each token", size), "correct it");
  }
  return *found;
}

std::int64_t ServerResponse::text_begin(std::optional<std::int64_t> prompt, std::string_view list,
                                        std::size_t size) const {
  if (!prompt) {
    refuse(fmt::format("how many tokens of {} are the prompt's is not said", list), "the target did not write those",
           "add n_prompt to the record, or give the prompt's length");
  }
  std::int64_t const begin = std::max<std::int64_t>(*prompt, 1);
  if (begin >= static_cast<std::int64_t>(size)) {
    refuse(fmt::format("{} has {} tokens, of which the prompt has {}", list, size, *prompt),
           "no text is left to score", "correct the prompt's length, or score prompt and text together");
  }
  return begin;
}

std::string ServerResponse::whole_prompt_note(std::string_view list) {
  return fmt::format(
      "Every token of {} is taken as the text, since no record says how long its prompt is: give n_prompt "
      "in each record, or `prompt-tokens`.",
      list);
}

ModelToken with_list(ServerResponse const& response, std::string name, double log_prob, TokenListing listing) {
  ModelToken token{.name = std::move(name),
                   .log_prob = log_prob,
                   .law = {},
                   .most_likely = {},
                   .max_prob = {},
                   .rank = listing.own_rank,
                   .listed = listing.there ? std::optional(listing.tokens.size()) : std::nullopt};
  auto& listed = listing.tokens;
  // A token that is excluded is none of the most likely: servers list it beside them.
  auto const possible = std::ranges::count_if(listed, [](ListedToken const& t) { return std::isfinite(t.log_prob); });
  bool const likelier_than_all_others = 2 * std::exp(log_prob) > 1;
  bool const knows_top = listing.kind == TokenListing::Kind::top
                             ? possible > 0
                             : possible > 1 || listing.own_rank == 1 || (!listed.empty() && likelier_than_all_others);
  double largest = log_prob, smallest_top = 0;
  for (ListedToken const& each : listed) {
    largest = std::max(largest, each.log_prob);
    if (!std::isfinite(each.log_prob)) continue;
    bool const is_top = listing.kind == TokenListing::Kind::top || each.name != token.name ||
                        listing.own_rank.value_or(std::numeric_limits<std::int64_t>::max()) <=
                            static_cast<std::int64_t>(listed.size());
    if (is_top) smallest_top = std::min(smallest_top, each.log_prob);
  }
  if (knows_top) {
    token.most_likely = log_prob >= largest;
    token.max_prob = std::exp(largest);
    token.law.most_unlisted = std::exp(smallest_top);
  }
  if (!contains(listed, token.name, &ListedToken::name)) listed.push_back({token.name, log_prob});
  drop_twins(listed, token.law.most_unlisted);
  double mass = 0, mass_of_base_10 = 0;
  for (ListedToken const& each : listed) {
    mass += std::exp(each.log_prob);
    mass_of_base_10 += std::exp(std::numbers::ln10 * each.log_prob);
  }
  if (mass > most_mass)
    response.refuse(
        fmt::format("the listed tokens' probabilities sum to {:.6g}", mass),
        "expected: at most 1, since they are of one distribution",
        mass_of_base_10 <= most_mass
            ? fmt::format("if they are logarithms to base 10, which sum to {:.6g}, give measure `log-base` "
                          "10; else ask for log-probabilities, not for logits",
                          mass_of_base_10)
            : "ask for log-probabilities (vLLM: --logprobs-mode processed_logprobs), not for logits");
  token.law.tokens = std::move(listed);
  return token;
}

std::vector<ModelToken> tokens_of_entries(ServerResponse& response, std::string const& list, Json const& entries) {
  if (!entries.is_array()) response.refuse(list + " is " + shown(entries), "expected: a list", "correct it");
  std::vector<ModelToken> tokens;
  for (Json const& entry : entries) {
    response.at(list, tokens.size());
    tokens.push_back(token_of_entry(response, entry));
  }
  return tokens;
}

}  // namespace draftgauge
