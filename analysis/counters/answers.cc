#include <fmt/format.h>

#include <numeric>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"

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

std::int64_t sum_of(std::vector<std::int64_t> const& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// [j] steps that kept j draft tokens. Some methods write what a step kept, some with the token after it: the tokens of
/// the answer tell which.
std::vector<std::int64_t> kept_of(std::string const& place, std::vector<std::int64_t> const& lengths,
                                  std::int64_t tokens) {
  std::int64_t const sum = sum_of(lengths), steps = static_cast<std::int64_t>(lengths.size());
  // A turn's first token may come of its prompt, and its last step be cut.
  std::int64_t const slack = 2 + tokens / 100;
  bool const with_next = std::abs(sum - tokens) <= slack, without = std::abs(sum + steps - tokens) <= slack;
  if (with_next == without)
    refuse_record(place, fmt::format("accept_lengths add up to {} in {} steps, new_tokens to {}", sum, steps, tokens),
                  "is the token after the drafts in the lengths, or not?", "leave accept_lengths out");
  std::vector<std::int64_t> kept;
  for (std::int64_t const length : lengths) {
    std::int64_t const drafts = with_next ? length - 1 : length;
    if (drafts < 0 || std::cmp_greater(drafts, most_positions))
      refuse_record(place, fmt::format("an accept_length is {}", length), "no step gives so many tokens");
    auto const at = static_cast<std::size_t>(drafts);
    if (kept.size() <= at) kept.resize(at + 1);
    ++kept[at];
  }
  return kept;
}

CounterSums sums_of(std::string const& place, Json const& choice, EngineCounters& counters) {
  if (!counts(choice)) refuse_record(place, "a choice has no steps", "its rounds cannot be counted");
  std::int64_t const tokens = sum_of(optional_counts(place, choice, {"new_tokens"}));
  std::int64_t const steps = sum_of(optional_counts(place, choice, {"decoding_steps", "idxs"}));
  CounterSums sums{.rounds = steps, .emitted = tokens};
  if (Json const* lengths = member(choice, {"accept_lengths"}); lengths && !lengths->empty()) {
    sums.kept = kept_of(place, optional_counts(place, choice, {"accept_lengths"}), tokens);
    sums.rounds = sum_of(sums.kept);
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
        "there is "
        "one step more a turn.");
  complete(sums);
  return sums;
}

void take_answers(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const* id = member(record, {"question_id"});
  // Several answers to one question are not independent of each other.
  std::vector<CountedRequest> choices;
  for (Json const& choice : *choices_of(record)) choices.push_back({{}, sums_of(place, choice, counters)});
  take_request(counters, id ? id->dump() : std::string(), total(choices));
}

}  // namespace

CounterFormat answers() {
  return {.name = "answers",
          .engine = "",
          .summary =
              "model_answer JSONL of Spec-Bench, EAGLE and Medusa: decoding_steps or idxs, new_tokens, "
              "accept_lengths",
          .versions = "Spec-Bench, EAGLE and Medusa of 2024 and later",
          .is_record = [](Json const& record) { return choices_of(record) != nullptr; },
          .take = take_answers};
}

}  // namespace draftgauge::formats
