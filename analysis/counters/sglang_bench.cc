#include <cmath>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

bool is_sglang_bench(Json const& record) {
  return record.is_object() && record.contains("accept_length") && member(record, {"output_throughput"}) &&
         member(record, {"completed"});
}

/// Its accept_length is the server's mean since it started; what passes between tokens is counted for each of them.
void take_sglang_bench(std::string const& place, Json const& record, EngineCounters& counters) {
  if (!counters.stretches.empty())
    refuse_record(place, "it is a second run", "means of one run are read", "give one file a run");
  says(counters, place, record, "accept_length", Rate::tokens_per_round, HUGE_VAL);
  for (EngineNumber const& mean : counters.says)
    if (mean.value >= 1) counters.stretches.push_back({1, mean.value});
  take_token_time(counters, place, record, std::nullopt);
  if (auto const running = optional_real(place, record, {"concurrency"});
      running && *running > 0 && *running <= most_at_once)
    add_at_once(counters, "concurrency", "a mean over the benchmark", *running);
  counters.notes.emplace_back("A mean over the server's rounds, without their number: it has no interval.");
}

}  // namespace

CounterFormat sglang_bench() {
  return {
      .name = "SGLang bench",
      .engine = "sglang",
      .summary = "the JSON of sglang.bench_serving --output-file, with accept_length: a mean, no counters",
      .versions = "SGLang of 2025 and later",
      .is_record = [](Json const& record) { return is_sglang_bench(record) && member(record, {"accept_length"}); },
      .take = take_sglang_bench,
      .is_bare = [](Json const& record) { return is_sglang_bench(record) && !member(record, {"accept_length"}); }};
}

}  // namespace draftgauge::formats
