#include <cmath>
#include <utility>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/metric_counts.h"
#include "analysis/counters/prometheus.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view sglang_prefix = "sglang:";

/// Gauges: of the last batch that was decoded, no counters.
void read_sglang_metrics(std::string const& file, std::string_view text, EngineCounters& counters) {
  for (MetricSample const& sample : read_metrics(file, text, sglang_prefix)) {
    std::string_view const name = std::string_view(sample.name).substr(sglang_prefix.size());
    if (name == "spec_accept_length")
      counters.says.push_back(
          {"spec_accept_length", metric_gauge(file, sample, 0, most_positions), Rate::tokens_per_round, HUGE_VAL});
    if (name == "spec_accept_rate")
      counters.says.push_back(
          {"spec_accept_rate", metric_gauge(file, sample, 0, 1), Rate::accepted_per_drafted, HUGE_VAL});
    if (name == "num_running_reqs")
      add_at_once(counters, name, "when the page was scraped", metric_gauge(file, sample, 0, most_at_once));
    if (name == "spec_num_steps")
      if (auto const steps = metric_count(file, sample); steps >= 1 && std::cmp_less_equal(steps, most_positions))
        counters.draft_length = steps;
  }
  if (counters.says.empty())
    refuse_page(file, "is no spec_accept_length",
                "start the server with --speculative-algorithm and --enable-metrics");
  counters.notes.emplace_back("Gauges of the last batch: no counters, and no average over rounds.");
}

}  // namespace

CounterFormat sglang_metrics() {
  return {.name = "SGLang metrics",
          .engine = "sglang",
          .summary = "the page /metrics: gauges of the last batch, no counters",
          .versions = "SGLang 0.5 and later",
          .is_text = [](std::string_view text) { return has_metric(text, sglang_prefix); },
          .read = read_sglang_metrics,
          .words = {{Rate::accepted_per_drafted, "spec_accept_rate"}},
          .at_once = "num_running_reqs"};
}

}  // namespace draftgauge::formats
