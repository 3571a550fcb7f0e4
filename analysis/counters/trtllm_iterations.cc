#include "analysis/counters/format_files.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/json_fields.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// A round is one request in one iteration.
void take_trtllm_iterations(std::string const& place, Json const& record, EngineCounters& counters) {
  CounterSums& sums = counters.sums;
  auto const add = [](std::optional<std::int64_t>& sum, std::int64_t value) { sum = sum.value_or(0) + value; };
  auto const add_ms = [](std::optional<double>& sum, std::optional<double> const& ms) {
    if (ms) sum = sum.value_or(0) + *ms / 1000;
  };
  add_ms(counters.seconds, optional_real(place, record, {"iterLatencyMS"}));
  if (Json const* batch = member(record, {"inflightBatchingStats"}))
    add_at_once(counters, "numGenRequests", "a mean over iterations that decode",
                static_cast<double>(optional_count(place, *batch, {"numGenRequests"}).value_or(0)));
  Json const* stats = member(record, {"specDecodingStats"});
  if (!stats) return;  // nothing was drafted in this one
  CounterSums const here{.rounds = required_count(place, *stats, {"numRequestsWithDraftTokens"}),
                         .drafted = required_count(place, *stats, {"numDraftTokens"}),
                         .accepted = required_count(place, *stats, {"numAcceptedTokens"})};
  std::vector<EngineNumber> rates;
  says(rates, place, *stats, "acceptanceLength", Rate::tokens_per_round, .005);
  check_record(counters, place, here, rates);
  add(sums.rounds, *here.rounds);
  add(sums.drafted, *here.drafted);
  add(sums.accepted, *here.accepted);
  add_ms(counters.draft_seconds, optional_real(place, *stats, {"iterLatencyMS"}));
  add(counters.draft_calls, 1);
}

}  // namespace

CounterFormat trtllm_iterations() {
  return {.name = "TensorRT-LLM iterations",
          .engine = "trtllm",
          .summary = "the list of iterations that /metrics gives, with specDecodingStats (enable_iter_perf_stats)",
          .versions = "TensorRT-LLM 1.0 and later",
          .is_record =
              [](Json const& record) {
                return member(record, {"iterLatencyMS"}) &&
                       (member(record, {"specDecodingStats"}) || member(record, {"iter"}));
              },
          .take = take_trtllm_iterations,
          .at_once = "numGenRequests"};
}

}  // namespace draftgauge::formats
