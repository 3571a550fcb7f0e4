#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/metric_counts.h"
#include "sim/base/error.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view trtllm_prefix = "trtllm_";

/// Rounds are not counted; a gauge has the mean length of some iterations.
void read_trtllm_metrics(std::string const& file, std::string_view text, EngineCounters& counters) {
  CounterSums& sums = counters.sums;
  for (MetricSample const& sample : read_metrics(file, text, trtllm_prefix)) {
    std::string_view const name = std::string_view(sample.name).substr(trtllm_prefix.size());
    if (name == "spec_decode_num_draft_tokens") add_count(counters, sums.drafted, file, sample);
    if (name == "spec_decode_num_accepted_tokens") add_count(counters, sums.accepted, file, sample);
    if (name == "spec_decode_acceptance_length")
      counters.says.push_back({"acceptance_length", metric_gauge(file, sample, 0, most_positions), Rate::other, 0});
  }
  if (!sums.drafted || !sums.accepted)
    throw InputError(file +
                         ": there are no counters of speculation on it (the server drafts nothing, or the page was "
                         "cut)",
                     "scrape the whole page of a server with speculative_config");
  add_created(counters, file, text, trtllm_prefix);
  counters.since_start = true;
  counters.notes.emplace_back("Rounds are not counted there: they follow from the draft length, where it is told.");
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
