#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/engines/engines.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/lists.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// {"0": 34, "2": 5}: keys that are not there count none.
std::vector<std::int64_t> sparse_counts(std::string const& place, Json const& histogram) {
  if (!histogram.is_object())
    refuse_record(place, "acceptance_histogram is " + shown(histogram), "expected: an object of counts");
  std::vector<std::int64_t> counts;
  for (auto const& [key, ignored] : histogram.items()) {
    auto const kept = parse_integer(key);
    if (!kept || *kept < 0 || std::cmp_greater(*kept, most_positions))
      refuse_record(place, "acceptance_histogram has the key " + in_quotes(key),
                    "expected: a number of draft tokens");
    auto const at = static_cast<std::size_t>(*kept);
    if (counts.size() <= at) counts.resize(at + 1);
    counts[at] = required_count(place, histogram, {key});
  }
  return counts;
}

void take_aiperf(std::string const& place, Json const& record, EngineCounters& counters) {
  if (text_or_empty(member_at(record, {"metadata", "benchmark_phase"})) == "warmup") {
    add_once(counters.notes, std::string("Requests of the warm-up are left out."));
    return;
  }
  Json const& acceptance = *member(record, {"spec_decode_acceptance"});
  std::string const word = text_or_empty(member(acceptance, {"engine"}));
  EngineCard const* const card = engine_called(word);
  std::string const engine = card ? card->name : std::string();
  if (!counters.requests.empty() && engine != counters.engine)
    refuse_record(place,
                  fmt::format("engine is {}, and {} before", engine.empty() ? "another" : engine,
                              counters.engine.empty() ? "another" : counters.engine),
                  "counts are of one engine", "keep the records of one");
  if (!word.empty())
    take_engine(counters, word);
  else
    counters.engine.clear(), counters.writers.clear();
  CounterSums sums{.rounds = required_count(place, acceptance, {"num_spec_steps"}),
                   .drafted = required_count(place, acceptance, {"num_draft_tokens"}),
                   .accepted = required_count(place, acceptance, {"num_accepted_draft_tokens"}),
                   .emitted = optional_count(place, acceptance, {"completion_tokens"})};
  if (Json const* histogram = member(acceptance, {"acceptance_histogram"}))
    sums.kept = sparse_counts(place, *histogram);
  OrderedRounds steps = steps_of(place, acceptance, sums.drafted);
  take_length(counters, place, acceptance, "num_spec_tokens");
  if (auto const length = optional_count(place, acceptance, {"num_spec_tokens"});
      length && !sums.kept.empty() && std::cmp_less(sums.kept.size(), *length + 1))
    sums.kept.resize(static_cast<std::size_t>(*length) + 1);
  std::vector<EngineNumber> rates;
  says(rates, place, acceptance, "mean_acceptance_length", Rate::tokens_per_round, .005);
  says(rates, place, acceptance, "draft_acceptance_rate", Rate::accepted_per_drafted, .0005);
  counters.emitted_by = EmittedBy::rounds_and_more;
  take_request(counters, {}, std::move(sums), std::move(rates), {std::move(steps)});
}

}  // namespace

CounterFormat aiperf() {
  return {.name = "AIPerf records",
          .engine = "vllm",
          .summary = "profile_export.jsonl of --export-level records, with spec_decode_acceptance",
          .versions = "AIPerf of 2026, of vLLM, SGLang and TensorRT-LLM",
          .is_record = [](Json const& record) { return member(record, {"spec_decode_acceptance"}) != nullptr; },
          .take = take_aiperf,
          .words = {{Rate::accepted_per_drafted, "draft_acceptance_rate"}}};
}

}  // namespace draftgauge::formats
