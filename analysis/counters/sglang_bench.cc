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
  take_mean_of_server(counters, place, record, "accept_length");
  take_token_time(counters, place, record, std::nullopt);
  if (auto const running = optional_real(place, record, {"concurrency"});
      running && *running > 0 && *running <= most_at_once)
    add_at_once(counters, "concurrency", "a mean over the benchmark", *running);
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
      .is_bare = [](Json const& record) { return is_sglang_bench(record) && !member(record, {"accept_length"}); },
      .times_tokens = true,
      .at_once = "concurrency"};
}

}  // namespace draftgauge::formats
