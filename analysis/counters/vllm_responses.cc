#include <fmt/format.h>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// Of the response's root; an earlier build had it in each choice.
Json const* metrics_of(Json const& record) {
  if (Json const* at = holder(record, {"metrics", "speculative_decoding"})) return at;
  Json const* const choice = only_choice(record);
  return choice ? member(*choice, {"speculative_decoding_stats"}) : nullptr;
}

std::map<std::int64_t, std::vector<std::int64_t>> histograms_of(std::string const& place, Json const& lengths) {
  std::map<std::int64_t, std::vector<std::int64_t>> all;
  if (!lengths.is_object())
    refuse_record(place, "acceptance_histogram_by_draft_length is " + shown(lengths), "expected: an object of lists");
  for (auto const& [key, ignored] : lengths.items()) {
    auto const length = parse_integer(key);
    if (!length || *length < 0 || std::cmp_greater(*length, most_positions))
      refuse_record(place, "acceptance_histogram_by_draft_length has the key " + in_quotes(key),
                    "expected: a draft length");
    auto histogram = optional_counts(place, lengths, {key});
    if (std::cmp_not_equal(histogram.size(), *length + 1))
      refuse_record(
          place,
          fmt::format("acceptance_histogram_by_draft_length has {} counts at length {}", histogram.size(), *length),
          "expected: one more than the length");
    all[*length] = std::move(histogram);
  }
  return all;
}

void take_vllm_responses(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const& metrics = *metrics_of(record);
  CounterSums sums{.rounds = required_count(place, metrics, {"num_spec_steps"}),
                   .drafted = required_count(place, metrics, {"num_draft_tokens"}),
                   .accepted = required_count(place, metrics, {"num_accepted_draft_tokens"}),
                   .emitted = {},
                   .kept = optional_counts(place, metrics, {"acceptance_histogram"})};
  std::vector<EngineNumber> rates;
  says(rates, place, metrics, "mean_acceptance_length", Rate::tokens_per_round, .0005);
  says(rates, place, metrics, "draft_acceptance_rate", Rate::accepted_per_drafted, .0005);
  if (Json const* usage = holder(record, {"usage"}))
    sums.emitted = optional_count(place, *usage, {"completion_tokens"});
  if (Json const* lengths = member(metrics, {"acceptance_histogram_by_draft_length"}))
    sums.histograms = histograms_of(place, *lengths);
  OrderedRounds steps = steps_of(place, metrics, sums.drafted);
  take_length(counters, place, metrics, "num_spec_tokens");
  counters.emitted_by = EmittedBy::rounds_and_more;
  take_request(counters, text_or_empty(holder(record, {"id"})), std::move(sums), std::move(rates), {std::move(steps)});
}

}  // namespace

CounterFormat vllm_responses() {
  return {.name = "vLLM responses",
          .engine = "vllm",
          .summary = "responses with metrics.speculative_decoding, one a line or in a list",
          .versions = "vLLM with --per-request-spec-decode-metrics, and the earlier --per-request-spec-decode-stats",
          .is_record = [](Json const& record) { return metrics_of(record) != nullptr; },
          .take = take_vllm_responses,
          .is_bare =
              [](Json const& record) {
                return holder(record, {"choices"}) || holder(record, {"error"}) ||
                       (holder(record, {"metrics"}) && holder(record, {"id"}));
              },
          .has_ids = true};
}

}  // namespace draftgauge::formats
