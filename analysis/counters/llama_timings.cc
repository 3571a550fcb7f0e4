#include <fmt/format.h>

#include <utility>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/llama_requests.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// ik_llama.cpp counts by depth: rounds whose draft came so far, and those that kept it.
void take_depths(std::string const& place, Json const& timings, CounterSums& sums) {
  Json const* const depths = member(timings, {"draft_by_depth"});
  if (!depths || !depths->is_array()) return;
  for (Json const& each : *depths) {
    if (std::cmp_not_equal(required_count(place, each, {"depth"}), sums.by_position.size() + 1))
      refuse_record(place, "draft_by_depth does not go from 1 on", "expected: every depth");
    sums.by_position.push_back(required_count(place, each, {"draft_n_accepted"}));
    sums.drafted_by_position.push_back(required_count(place, each, {"draft_n"}));
  }
  if (!depths->empty()) sums.rounds = sums.drafted_by_position.front();
}

void take_llama_timings(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const& timings = *timings_of(record);
  CounterSums sums{.rounds = {},
                   .drafted = optional_count(place, timings, {"draft_n"}),
                   .accepted = optional_count(place, timings, {"draft_n_accepted"}),
                   .emitted = required_count(place, timings, {"predicted_n"})};
  // A server writes neither where it drafted nothing.
  if (!sums.drafted && !sums.accepted) sums.drafted = sums.accepted = 0;
  if (!sums.drafted || !sums.accepted)
    refuse_record(place, "one of draft_n and draft_n_accepted is missing", "rounds cannot be counted without");
  take_depths(place, timings, sums);
  if (!sums.rounds && !rounds_of_llama_request(sums))
    refuse_record(place, fmt::format("predicted_n is {}, draft_n_accepted {}", *sums.emitted, *sums.accepted),
                  "expected: more predicted than accepted");
  if (auto const ms = optional_real(place, timings, {"predicted_ms"}); ms && sums.rounds != 0)
    counters.seconds = counters.seconds.value_or(0) + *ms / 1000;
  if (Json const* heat = holder(record, {"generation_settings", "temperature"})) {
    double const temperature = real_of(place, "temperature", *heat);
    if (counters.temperature && *counters.temperature != temperature)
      refuse_record(place, fmt::format("temperature is {}, and {} before", temperature, *counters.temperature),
                    "counts are of one distribution");
    counters.temperature = temperature;
  }
  take_request(counters, {}, std::move(sums));
}

}  // namespace

CounterFormat llama_timings() {
  return {.name = "llama-server timings",
          .engine = "llama.cpp",
          .summary = "llama-server's responses with timings, or timings alone, one a line or in a list",
          .versions = "llama.cpp since 2025",
          // tabbyAPI writes timings of these names, too, in which a round gives the first token.
          .is_record =
              [](Json const& record) {
                return timings_of(record) && !holder(record, {"usage", "completion_tokens_per_sec"});
              },
          .take = take_llama_timings,
          .times_sequences = true};
}

}  // namespace draftgauge::formats
