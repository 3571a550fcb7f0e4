#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/counters/format_files.h"
#include "analysis/counters/metric_counts.h"
#include "analysis/counters/prometheus.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view vllm_prefix = "vllm:";

double share_of(std::string const& file, MetricSample const& sample) {
  if (!(sample.value > 0 && sample.value <= 1))
    refuse_sample(file, sample.line, sample.name, "a share above 0, at most 1");
  return sample.value;
}

/// V0 counts a draft token as accepted that passed its test by itself. It says how many tokens came out of all rounds,
/// and which share these are of what could have: of drafts·(γ + 1).
void settle_v0(EngineCounters& counters, std::optional<std::int64_t> emitted, std::optional<double> efficiency) {
  CounterSums& sums = counters.sums;
  counters.passed_alone = sums.accepted;
  sums.accepted.reset();
  sums.emitted = emitted;
  if (!efficiency || !sums.drafted) return;
  double const rounds = std::round(static_cast<double>(*emitted) / *efficiency) - static_cast<double>(*sums.drafted);
  // A round drafts a token at least, and emits one.
  if (!(rounds > 0 && rounds <= static_cast<double>(std::min(*sums.drafted, *emitted)))) return;
  sums.rounds = static_cast<std::int64_t>(rounds);
  sums.accepted = *emitted - *sums.rounds;
}

void read_vllm_metrics(std::string const& file, std::string_view text, EngineCounters& counters) {
  CounterSums& sums = counters.sums;
  std::optional<std::int64_t> emitted_v0;
  std::optional<double> efficiency;
  std::vector<std::pair<std::string, double>> running;  // by model: a page may have others, which draft nothing
  for (MetricSample const& sample : read_metrics(file, text, vllm_prefix)) {
    std::string_view const name = std::string_view(sample.name).substr(vllm_prefix.size());
    if (name == "generation_tokens") add_count(counters, sums.emitted, file, sample);
    if (name == "num_requests_running")
      running.emplace_back(sample.label("model_name"), metric_gauge(file, sample, 0, most_at_once));
    if (name == "spec_decode_efficiency") efficiency = share_of(file, sample);
    if (!name.starts_with("spec_decode_num")) continue;
    require_one_model(file, counters.model, sample);
    if (name == "spec_decode_num_drafts") add_count(counters, sums.rounds, file, sample);
    if (name == "spec_decode_num_draft_tokens") add_count(counters, sums.drafted, file, sample);
    if (name == "spec_decode_num_accepted_tokens") add_count(counters, sums.accepted, file, sample);
    if (name == "spec_decode_num_emitted_tokens") add_count(counters, emitted_v0, file, sample);
    if (name == "spec_decode_num_accepted_tokens_per_pos") add_position(counters, sums.by_position, file, sample);
  }
  for (auto const& [model, sequences] : running)
    if (model.empty() || counters.model.empty() || model == counters.model)
      add_at_once(counters, "num_requests_running", "when the page was scraped", sequences);
  if (emitted_v0 && !sums.rounds) settle_v0(counters, emitted_v0, efficiency);
  if (!sums.accepted && !counters.passed_alone)
    refuse_page(file, "are no counters of speculation",
                "start the server with --speculative-config, and scrape the whole page");
  require_rounds_on_page(file, sums);
  if (!sums.by_position.empty()) counters.draft_length = static_cast<std::int64_t>(sums.by_position.size());
  add_start(counters, file, text, vllm_prefix);
}

}  // namespace

CounterFormat vllm_metrics() {
  return {.name = "vLLM metrics",
          .engine = "vllm",
          .summary = "the page /metrics, one scrape or one before and one after; summed over engines",
          .versions = "vLLM 0.8 and later, and V0",
          .is_text = [](std::string_view text) { return has_metric(text, vllm_prefix); },
          .read = read_vllm_metrics,
          .at_once = "num_requests_running"};
}

}  // namespace draftgauge::formats
