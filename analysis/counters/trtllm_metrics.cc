#include <algorithm>
#include <cstdint>
#include <optional>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/metric_counts.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view trtllm_prefix = "trtllm_";

/// Positions to which no counter was made were never reached. Totals are of all iterations, also of requests that go
/// on.
void settle_by_position(EngineCounters& counters) {
  CounterSums& sums = counters.sums;
  std::size_t const positions = std::max(sums.drafted_by_position.size(), sums.by_position.size());
  sums.drafted_by_position.resize(positions);
  sums.by_position.resize(positions);
  sums.drafted.reset();
  sums.accepted.reset();
  complete(sums);
  counters.draft_length = static_cast<std::int64_t>(positions);
  counters.draft_length_so_far = true;
}

/// Of requests that have ended it counts, where they measure themselves, how many rounds drafted and kept a token at
/// each position: then rounds are known, and those are taken, of which each draft is counted with what became of it.
/// Counters of all iterations have no rounds. A gauge has the mean length of some iterations.
void read_trtllm_metrics(std::string const& file, std::string_view text, EngineCounters& counters) {
  CounterSums& sums = counters.sums;
  std::optional<std::int64_t> emitted;  // of requests that have ended
  for (MetricSample const& sample : read_metrics(file, text, trtllm_prefix)) {
    std::string_view const name = std::string_view(sample.name).substr(trtllm_prefix.size());
    if (name == "spec_decode_num_draft_tokens") add_count(counters, sums.drafted, file, sample);
    if (name == "spec_decode_num_accepted_tokens") add_count(counters, sums.accepted, file, sample);
    if (name == "spec_decode_drafted_tokens")
      add_position(counters, sums.drafted_by_position, file, sample, "token_position");
    if (name == "spec_decode_accepted_tokens")
      add_position(counters, sums.by_position, file, sample, "token_position");
    if (name == "generation_tokens") add_count(counters, emitted, file, sample);
    if (name == "spec_decode_acceptance_length")
      counters.says.push_back({"acceptance_length", metric_gauge(file, sample, 0, most_positions), Rate::other, 0});
  }
  if (!sums.drafted_by_position.empty()) {
    settle_by_position(counters);
    sums.emitted = emitted;
  }
  if (!sums.drafted || !sums.accepted)
    refuse_page(file, "are no counters of speculation", "scrape the whole page of a server with speculative_config");
  add_start(counters, file, text, trtllm_prefix);
  counters.notes.emplace_back(
      sums.rounds ? "Counted are requests that have ended, by position; of a tree each node is a position there."
                  : "Rounds are not counted there: they follow from the draft length, where it is told, or are "
                    "counted with return_perf_metrics: true.");
}

}  // namespace

CounterFormat trtllm_metrics() {
  return {.name = "TensorRT-LLM metrics",
          .engine = "trtllm",
          .summary = "the page /prometheus/metrics, one scrape or two",
          .versions = "TensorRT-LLM of 2026",
          .is_text = [](std::string_view text) { return has_metric(text, trtllm_prefix); },
          .read = read_trtllm_metrics};
}

}  // namespace draftgauge::formats
