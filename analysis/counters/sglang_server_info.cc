#include <fmt/format.h>

#include <algorithm>

#include "analysis/cards/json_path.h"
#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

constexpr std::string_view length_name = "avg_spec_accept_length";
/// With these rounds are counted one by one, which a card reads.
constexpr std::string_view recorded_rounds = "internal_states[*].dspark_info_record.records[*].reqs[*].verify_len";

/// One state a data-parallel rank.
Json const* states_of(Json const& record) {
  Json const* states = holder(record, {"internal_states"});
  if (!states || !states->is_array()) return nullptr;
  return std::ranges::any_of(*states, [](Json const& each) { return member(each, {length_name}) != nullptr; })
             ? states
             : nullptr;
}

/// A mean over all rounds of the server, whose number it does not say.
void take_sglang_server_info(std::string const& place, Json const& record, EngineCounters& counters) {
  if (!counters.says.empty())
    refuse_record(place, "it is a second answer of a server", "each mean is of all rounds since the start",
                  "keep the last one");
  Json const& states = *states_of(record);
  // A rank's mean weighs as its rounds do, and of these nothing is said.
  if (states.size() > 1)
    refuse_record(place, fmt::format("internal_states has {} entries, each with its own mean", states.size()),
                  "how many rounds each is of is not said, so that they have no mean together",
                  "keep the entry of one rank, or give the responses' meta_info, which count rounds");
  take_mean_of_server(counters, place, states.front(), length_name);
  take_length(counters, place, record, "speculative_num_steps");
}

}  // namespace

CounterFormat sglang_server_info() {
  return {
      .name = "SGLang server_info",
      .engine = "sglang",
      .summary = "/server_info or /get_server_info, with avg_spec_accept_length: a mean, no counters",
      .versions = "SGLang 0.4 and later",
      .is_record = [](Json const& record) { return states_of(record) && at_path(record, recorded_rounds).empty(); },
      .take = take_sglang_server_info};
}

}  // namespace draftgauge::formats
