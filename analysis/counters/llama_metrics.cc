#include <cmath>

#include "analysis/counters/format_files.h"
#include "analysis/counters/histogram_sums.h"
#include "analysis/counters/metric_counts.h"
#include "analysis/counters/prometheus.h"
#include "sim/base/error.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view llama_prefix = "llamacpp:", busy_slots = "n_busy_slots_per_decode";

/// The page has six digits of all but the counts by position: from a million on those say what was accepted.
void settle_rounded(CounterSums& sums) {
  constexpr std::int64_t exact_to = 1'000'000;
  std::int64_t const sum = sum_of(sums.by_position);
  if (sum < exact_to) return;
  auto const rounding = static_cast<double>(sum) * 5e-6;
  if (std::abs(static_cast<double>(*sums.accepted - sum)) <= rounding) sums.accepted = sum;
}

void read_llama_metrics(std::string const& file, std::string_view text, EngineCounters& counters) {
  CounterSums& sums = counters.sums;
  std::optional<std::int64_t> steps;
  double busy = 0;
  for (MetricSample const& sample : read_metrics(file, text, llama_prefix)) {
    std::string_view const name = std::string_view(sample.name).substr(llama_prefix.size());
    std::optional<std::int64_t>* const sum = name == "spec_decode_num_drafts"            ? &sums.rounds
                                             : name == "spec_decode_num_draft_tokens"    ? &sums.drafted
                                             : name == "spec_decode_num_accepted_tokens" ? &sums.accepted
                                             : name == "tokens_predicted"                ? &sums.emitted
                                             : name == "n_decode"                        ? &steps
                                                                                         : nullptr;
    if (name == "spec_decode_num_accepted_tokens_per_pos") add_position(counters, sums.by_position, file, sample);
    if (name == "tokens_predicted_seconds") counters.seconds = metric_seconds(file, sample);
    if (name == busy_slots) busy = metric_gauge(file, sample, 0, most_at_once);
    if (!sum) continue;
    add_count(counters, *sum, file, sample);
  }
  if (!sums.accepted)
    throw InputError(file +
                         ": there are no counters of speculation on it (the server drafts nothing, or is older than "
                         "these counters)",
                     "give the server's log, or its responses with timings");
  require_rounds_on_page(file, sums);
  if (!sums.by_position.empty()) {
    counters.draft_length = static_cast<std::int64_t>(sums.by_position.size());
    settle_rounded(sums);
  }
  if (busy > 0 && steps.value_or(0) > 0) {
    auto const count = static_cast<double>(*steps);
    counters.at_once = SequencesAtOnce{std::string(busy_slots), "a mean over steps", busy * count, count, true};
  }
  add_start(counters, file, text, llama_prefix);
  counters.notes.emplace_back("Rounds without room for a draft are not counted.");
}

}  // namespace

CounterFormat llama_metrics() {
  return {.name = "llama.cpp metrics",
          .engine = "llama.cpp",
          .summary = "llama-server's page /metrics (--metrics), one scrape or two",
          .versions = "llama.cpp of 2026",
          .is_text = [](std::string_view text) { return has_metric(text, llama_prefix); },
          .read = read_llama_metrics,
          .times_sequences = true,
          .at_once = busy_slots};
}

}  // namespace draftgauge::formats
