#include <cmath>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "sim/base/lists.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// Its average_acceptance_length is a mean of the requests' means: rounds and tokens give that of rounds.
void take_specforge(std::string const& place, Json const& record, EngineCounters& counters) {
  CounterSums sums{.rounds = required_count(place, record, {"spec_verify_count"}),
                   .emitted = required_count(place, record, {"output_tokens"})};
  std::int64_t const samples = optional_count(place, record, {"samples"}).value_or(0);
  // A prompt's pass gave the first token of each.
  std::int64_t const accepted = *sums.emitted - samples - *sums.rounds;
  if (accepted < 0)
    refuse_record(place, "there are fewer output_tokens than rounds and samples", "each round gives one at least");
  sums.accepted = accepted;
  if (auto const seconds = optional_real(place, record, {"latency_seconds"}))
    counters.seconds = counters.seconds.value_or(0) + *seconds;
  constexpr double shown_to = 5e-5;
  constexpr std::string_view with_first =
      "average_acceptance_length is a mean over samples that counts a prompt's first token, which no round gave, as "
      "a round's: tokens per round are without it.";
  auto const mean = optional_real(place, record, {"average_acceptance_length"});
  if (mean && *sums.rounds > 0 &&
      std::abs(*mean - 1 - static_cast<double>(accepted) / static_cast<double>(*sums.rounds)) > shown_to)
    add_once(counters.notes, with_first);
  counters.unit = "data set";
  if (std::string const backend = text_or_empty(member(record, {"backend"})); !backend.empty())
    take_engine(counters, backend);
  std::vector<EngineNumber> rates;
  says(rates, place, record, "average_acceptance_length", Rate::other, HUGE_VAL);
  take_request(counters, text_or_empty(member(record, {"dataset"})), std::move(sums), std::move(rates));
}

}  // namespace

CounterFormat specforge() {
  return {.name = "SpecForge benchmark",
          .engine = "sglang",
          .summary = "SpecForge's --output-json, a data set a record, with spec_verify_count",
          .versions = "SpecForge of 2026",
          .is_record =
              [](Json const& record) {
                return member(record, {"spec_verify_count"}) && member(record, {"output_tokens"});
              },
          .take = take_specforge};
}

}  // namespace draftgauge::formats
