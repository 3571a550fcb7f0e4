#include <cmath>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

Json const* state_of(Json const& record) {
  Json const* states = holder(record, {"internal_states"});
  if (!states || !states->is_array() || states->empty()) return nullptr;
  return member(states->front(), {"avg_spec_accept_length"}) ? &states->front() : nullptr;
}

/// A mean over all rounds of the server, whose number it does not say.
void take_sglang_server_info(std::string const& place, Json const& record, EngineCounters& counters) {
  says(counters, place, *state_of(record), "avg_spec_accept_length", Rate::tokens_per_round, HUGE_VAL);
  for (EngineNumber const& mean : counters.says)
    if (mean.value >= 1) counters.stretches.push_back({1, mean.value});
  counters.draft_length = optional_count(place, record, {"speculative_num_steps"});
  counters.notes.emplace_back("A mean over the server's rounds, without their number: it has no interval.");
}

}  // namespace

CounterFormat sglang_server_info() {
  return {.name = "SGLang server_info",
          .engine = "sglang",
          .summary = "/server_info or /get_server_info, with avg_spec_accept_length: a mean, no counters",
          .versions = "SGLang 0.4 and later",
          .is_record = [](Json const& record) { return state_of(record) != nullptr; },
          .take = take_sglang_server_info};
}

}  // namespace draftgauge::formats
