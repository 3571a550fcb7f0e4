#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "analysis/counters/format_files.h"
#include "analysis/counters/histogram_sums.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/ordered.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

bool counts(Json const& choice) {
  return member(choice, {"new_tokens"}) && member(choice, {"decoding_steps", "idxs"});
}

/// One or, of --num-choices, several texts for a question; null where they are none.
Json const* choices_of(Json const& record) {
  Json const* choices = member(record, {"choices"});
  return choices && choices->is_array() && !choices->empty() && counts(choices->front()) ? choices : nullptr;
}

/// [l] steps of that accept_length, which settle() makes draft tokens of.
std::vector<std::int64_t> steps_by_length(std::string const& place, std::vector<std::int64_t> const& lengths) {
  auto steps = histogram_of(lengths);
  if (!steps)
    refuse_record(place, fmt::format("an accept_length is {}", std::ranges::max(lengths)),
                  "no step gives so many tokens");
  return *std::move(steps);
}

/// The steps of each turn, by their accept_length, which settle() makes draft tokens of; the turns as one where their
/// steps are not those listed.
std::vector<OrderedRounds> turns_of(std::string const& place, Json const& choice) {
  std::vector<std::int64_t> const lengths = optional_counts(place, choice, {"accept_lengths"});
  if (lengths.empty()) return {};
  std::vector<std::int64_t> steps = optional_counts(place, choice, {"decoding_steps", "idxs"});
  if (std::cmp_not_equal(sum_of(steps), lengths.size())) steps = {static_cast<std::int64_t>(lengths.size())};
  std::vector<OrderedRounds> turns;
  auto at = lengths.begin();
  for (std::int64_t const count : steps) {
    OrderedRounds& turn = turns.emplace_back();
    for (std::int64_t i = 0; i < count; ++i) turn.push_back({*at++, length_unknown});
  }
  return turns;
}

CounterSums sums_of(std::string const& place, Json const& choice, EngineCounters& counters) {
  if (!counts(choice)) refuse_record(place, "a choice has no steps", "its rounds cannot be counted");
  std::int64_t const tokens = sum_of(optional_counts(place, choice, {"new_tokens"}));
  std::int64_t const steps = sum_of(optional_counts(place, choice, {"decoding_steps", "idxs"}));
  CounterSums sums{.rounds = steps, .emitted = tokens};
  if (Json const* lengths = member(choice, {"accept_lengths"}); lengths && !lengths->empty()) {
    sums.kept = steps_by_length(place, optional_counts(place, choice, {"accept_lengths"}));
    sums.rounds = sum_of(sums.kept);
    if (member(choice, {"decoding_steps"}) && sums.rounds != steps)  // idxs may be the last step's number
      refuse_record(place, fmt::format("accept_lengths has {} steps, decoding_steps {}", *sums.rounds, steps),
                    "each is of all steps");
  } else {
    if (tokens < steps)
      refuse_record(place, fmt::format("{} new tokens in {} steps", tokens, steps), "a step gives one at least");
    sums.accepted = tokens - steps;
  }
  for (double const seconds : optional_reals(place, choice, {"wall_time"}))
    counters.seconds = counters.seconds.value_or(0) + seconds;
  if (counters.notes.empty() && member(choice, {"idxs"}))
    counters.notes.emplace_back(
        "idxs are taken as steps, as EAGLE's and Medusa's own scripts do; where they are the last step's number "
        "there is one step more a turn.");
  return sums;
}

void take_answers(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const* id = member(record, {"question_id"});
  // Several answers to one question are not independent of each other.
  std::vector<CountedRequest> choices;
  std::vector<OrderedRounds> texts;
  bool listed = true;
  for (Json const& choice : *choices_of(record)) {
    choices.push_back({{}, sums_of(place, choice, counters)});
    std::vector<OrderedRounds> turns = turns_of(place, choice);
    listed = listed && !turns.empty();
    for (OrderedRounds& turn : turns)
      if (!turn.empty()) texts.push_back(std::move(turn));
  }
  counters.requests.push_back({.name = id ? id->dump() : std::string(),
                               .sums = total(choices),
                               .texts = listed ? std::move(texts) : std::vector<OrderedRounds>()});
}

/// Some methods write what a step kept, some with the token after it. All answers of a file are of one method: together
/// their tokens tell which, where a short one alone may not.
bool are_with_next(EngineCounters const& counters) {
  std::int64_t sum = 0, steps = 0, tokens = 0, answers = 0, none = 0;
  for (CountedRequest const& request : counters.requests) {
    std::vector<std::int64_t> const& by_length = request.sums.kept;
    if (by_length.empty()) continue;
    ++answers;
    tokens += request.sums.emitted.value_or(0);
    steps += sum_of(by_length);
    none += by_length.front();
    for (std::size_t l = 0; l < by_length.size(); ++l) sum += static_cast<std::int64_t>(l) * by_length[l];
  }
  // A turn's first token may come of its prompt, and its last step be cut.
  std::int64_t const slack = 2 * answers + tokens / 100;
  bool const with_next = std::abs(sum - tokens) <= slack, without = std::abs(sum + steps - tokens) <= slack;
  if (with_next && without && none > 0) return false;  // a step gives one token at least
  if (with_next == without)
    refuse_record(counters.file,
                  fmt::format("accept_lengths add up to {} in {} steps, new_tokens to {}", sum, steps, tokens),
                  "is the token after the drafts in the lengths, or not?", "leave accept_lengths out");
  if (with_next && none > 0) refuse_record(counters.file, "an accept_length is 0", "a step gives one token at least");
  return with_next;
}

void settle_answers(EngineCounters& counters) {
  bool const lengths =
      std::ranges::any_of(counters.requests, [](CountedRequest const& each) { return !each.sums.kept.empty(); });
  bool const with_next = lengths && are_with_next(counters);
  for (CountedRequest& request : counters.requests) {
    std::vector<std::int64_t>& kept = request.sums.kept;
    if (with_next && !kept.empty()) kept.erase(kept.begin());
    for (OrderedRounds& turn : request.texts)
      for (OrderedRound& round : turn) round.accepted -= with_next;
    complete(request.sums);
  }
}

}  // namespace

CounterFormat answers() {
  return {
      .name = "answers",
      .engine = "",
      .summary =
          "model_answer JSONL of Spec-Bench, EAGLE and Medusa: decoding_steps or idxs, new_tokens, accept_lengths",
      .versions = "Spec-Bench, EAGLE and Medusa of 2024 and later",
      .is_record = [](Json const& record) { return choices_of(record) != nullptr; },
      .take = take_answers,
      .settle = settle_answers};
}

}  // namespace draftgauge::formats
