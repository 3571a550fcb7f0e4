#include <algorithm>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// The object of one kind of draft: by itself, or the only one of the record's stages.
Json const* stage_of(Json const& record) {
  auto const counts = [](Json const& at) { return member(at, {"drafted_by_position"}) != nullptr; };
  if (counts(record)) return &record;
  for (std::string_view const name : {"speculative", "stages", "spec", "metrics"}) {
    for (Json const* at = member(record, {name}); at; at = member(*at, {"stages"})) {
      if (at->is_array() && at->size() == 1) at = &at->front();
      if (counts(*at)) return at;
    }
  }
  return nullptr;
}

bool is_summary(Json const& record) { return text_or_empty(member(record, {"row_type"})) == "summary"; }

constexpr std::string_view of_summary = "summary";

/// accepted_by_position: rounds that kept draft i; drafted_by_position: rounds that drafted it, whatever came of those
/// before it. Its conditional_acceptance_rate is of the rounds that kept draft i − 1, also where these drafted no more.
void take_ik_spec_bench(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const& stage = *stage_of(record);
  CounterSums sums{.rounds = required_count(place, stage, {"num_drafts", "drafts"}),
                   .drafted = required_count(place, stage, {"draft_tokens"}),
                   .accepted = required_count(place, stage, {"accepted_tokens", "accepted"}),
                   .by_position = optional_counts(place, stage, {"accepted_by_position"}),
                   .drafted_by_position = optional_counts(place, stage, {"drafted_by_position"})};
  bool const summary = is_summary(record);
  bool const alone = std::ranges::all_of(counters.requests, [](auto const& run) { return run.name == of_summary; });
  if (auto const seconds = optional_real(place, stage, {"t_draft_s"}); seconds && (!summary || alone))
    counters.draft_seconds = counters.draft_seconds.value_or(0) + *seconds;
  counters.unit = "run";
  take_request(counters, summary ? std::string(of_summary) : std::string(), std::move(sums));
}

/// A summary's row counts again what rows of its attempts do.
void leave_out_summaries(EngineCounters& counters) {
  auto const is = [](CountedRequest const& run) { return run.name == of_summary; };
  if (!std::ranges::all_of(counters.requests, is)) std::erase_if(counters.requests, is);
}

}  // namespace

CounterFormat ik_spec_bench() {
  return {.name = "llama-spec-bench",
          .program = "ik_llama.cpp",
          .summary = "ik_llama.cpp's llama-spec-bench --output-format jsonl, with drafted_by_position",
          .versions = "ik_llama.cpp of 2026",
          .is_record = [](Json const& record) { return stage_of(record) != nullptr; },
          .take = take_ik_spec_bench,
          .settle = leave_out_summaries,
          .words = {{Rate::conditional, "conditional_acceptance_rate"}}};
}

}  // namespace draftgauge::formats
