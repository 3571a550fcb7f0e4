#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// Of a response's only choice, of a record of /perf_metrics, or by itself.
Json const* stats_of(Json const& record) {
  auto const counts = [](Json const* at) {
    Json const* const accepted = at ? member(*at, {"total_accepted_draft_tokens"}) : nullptr;
    return accepted && !accepted->is_object();  // AIPerf has statistics under that name
  };
  if (counts(&record)) return &record;
  for (std::initializer_list<std::string_view> const path :
       {std::initializer_list<std::string_view>{"speculative_decoding"}, {"perf_metrics", "speculative_decoding"}})
    if (Json const* at = holder(record, path); counts(at)) return at;
  Json const* const choice = only_choice(record);
  Json const* const at = choice ? member(*choice, {"speculative_decoding"}) : nullptr;
  return counts(at) ? at : nullptr;
}

void take_trtllm_requests(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const& stats = *stats_of(record);
  CounterSums sums{.rounds = optional_count(place, stats, {"num_spec_steps"}),
                   .drafted = required_count(place, stats, {"total_draft_tokens"}),
                   .accepted = required_count(place, stats, {"total_accepted_draft_tokens"}),
                   .kept = optional_counts(place, stats, {"acceptance_histogram"})};
  if (Json const* usage = holder(record, {"usage"}))
    sums.emitted = optional_count(place, *usage, {"completion_tokens"});
  // Null where a schedule changes it with the batch.
  take_length(counters, place, stats, "num_spec_tokens");
  counters.emitted_by = EmittedBy::rounds_and_more;
  std::vector<EngineNumber> rates;
  says(rates, place, stats, "acceptance_rate", Rate::accepted_per_drafted, .0005);
  take_request(counters, {}, std::move(sums), std::move(rates));
}

}  // namespace

CounterFormat trtllm_requests() {
  return {.name = "TensorRT-LLM requests",
          .engine = "trtllm",
          .summary = "/perf_metrics, or responses whose choice has speculative_decoding, one a line or in a list",
          .versions = "TensorRT-LLM 1.0 and later; rounds and histograms are of 2026",
          .is_record = [](Json const& record) { return stats_of(record) != nullptr; },
          .take = take_trtllm_requests,
          .words = {{Rate::accepted_per_drafted, "acceptance_rate"}}};
}

}  // namespace draftgauge::formats
