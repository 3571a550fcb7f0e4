#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/log_fields.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// A chunk of a stream is what a step gave, also where nothing was drafted; a text's first token comes of its
/// prompt's pass.
double tokens_per_step(std::string const& place, Json const& record, CounterSums const& sums) {
  auto const decoded = static_cast<double>(sums.emitted.value_or(0) -
                                           optional_count(place, record, {"completed"}).value_or(0)),
             steps = decoded - static_cast<double>(*sums.accepted);
  return steps > 0 ? decoded / steps : 1;
}

void take_vllm_bench(std::string const& place, Json const& record, EngineCounters& counters) {
  if (counters.sums.rounds)
    refuse_record(place, "it is a second run", "counts of one run are read", "give one file a run");
  // Both have the names; whose server it was, MAX's says.
  if (text_or_empty(member(record, {"backend"})) == "modular") take_engine(counters, "MAX");
  CounterSums& sums = counters.sums;
  sums.rounds = required_count(place, record, {"spec_decode_num_drafts"});
  sums.drafted = required_count(place, record, {"spec_decode_draft_tokens", "spec_decode_num_draft_tokens"});
  sums.accepted = required_count(place, record, {"spec_decode_accepted_tokens", "spec_decode_num_accepted_tokens"});
  sums.emitted = optional_count(place, record, {"total_output_tokens"});
  auto const shares =
      LogPlace{place}.shares("spec_decode_per_position_acceptance_rates",
                             optional_reals(place, record, {"spec_decode_per_position_acceptance_rates"}));
  sums.by_position = counts_of_shares(shares, *sums.rounds);
  if (!shares.empty()) counters.draft_length = static_cast<std::int64_t>(shares.size());
  counters.rounding = 1e-9;
  // At no rate as many run as may, but for the end of the benchmark.
  if (auto const most = optional_real(place, record, {"max_concurrency"});
      most && *most <= most_at_once && record.value("request_rate", Json()) == "inf")
    add_at_once(counters, "max_concurrency", "as many as were let run", *most);
  take_token_time(counters, place, record, tokens_per_step(place, record, sums));
  says(counters.says, place, record, "spec_decode_acceptance_length", Rate::tokens_per_round, .005);
  // A percentage, beside rates by position that are shares.
  if (auto const percent = optional_real(place, record, {"spec_decode_acceptance_rate"}))
    counters.says.push_back({"spec_decode_acceptance_rate", *percent / 100, Rate::accepted_per_drafted, 5e-5});
}

}  // namespace

CounterFormat vllm_bench() {
  return {.name = "vLLM bench",
          .engine = "vllm",
          .summary = "the JSON of vllm bench serve --save-result",
          .versions = "vLLM 0.12 and later; MAX's benchmark writes the same names",
          .is_record = [](Json const& record) { return member(record, {"spec_decode_num_drafts"}) != nullptr; },
          .take = take_vllm_bench,
          .words = {{Rate::accepted_per_drafted, "spec_decode_acceptance_rate"},
                    {Rate::cumulative, "spec_decode_per_position_acceptance_rates"}},
          .times_tokens = true,
          .at_once = "max_concurrency"};
}

}  // namespace draftgauge::formats
