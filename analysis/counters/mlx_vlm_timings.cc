#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/llama_requests.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// llama-server's names, beside two that it does not have.
Json const* mlx_vlm_timings_of(Json const& record) {
  Json const* const timings = timings_of(record);
  return timings && member(*timings, {"draft_rounds", "peak_memory"}) ? timings : nullptr;
}

void take_mlx_vlm_timings(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const& timings = *mlx_vlm_timings_of(record);
  CounterSums sums{.rounds = optional_count(place, timings, {"draft_rounds"}),
                   .drafted = optional_count(place, timings, {"draft_n"}),
                   .accepted = optional_count(place, timings, {"draft_n_accepted"}),
                   .emitted = required_count(place, timings, {"predicted_n"})};
  // Null without a drafter.
  if (!sums.rounds && !sums.drafted && !sums.accepted) sums.rounds = sums.drafted = sums.accepted = 0;
  if (!sums.rounds || !sums.drafted || !sums.accepted)
    refuse_record(place, "one of draft_rounds, draft_n and draft_n_accepted is missing",
                  "rounds cannot be counted without");
  if (auto const ms = optional_real(place, timings, {"predicted_ms"}); ms && sums.rounds != 0)
    counters.seconds = counters.seconds.value_or(0) + *ms / 1000;
  // Of all requests that ran at once.
  if (counters.requests.empty())
    counters.notes.emplace_back("mlx-vlm counts rounds of all requests at once: send them one after the other.");
  take_request(counters, {}, std::move(sums));
}

}  // namespace

CounterFormat mlx_vlm_timings() {
  return {.name = "mlx-vlm timings",
          .program = "mlx-vlm",
          .summary = "mlx-vlm's responses with timings, which have draft_rounds, one a line or in a list",
          .versions = "mlx-vlm of 2026 (mlx_vlm/server/schemas.py)",
          .is_record = [](Json const& record) { return mlx_vlm_timings_of(record) != nullptr; },
          .take = take_mlx_vlm_timings,
          .times_sequences = true};
}

}  // namespace draftgauge::formats
