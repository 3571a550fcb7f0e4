#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/counters/json_fields.h"
#include "analysis/load/load_reading.h"
#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/letters.h"

namespace draftgauge::time_forms {
namespace {

using Json = nlohmann::json;

/// The number that a key writes.
std::int64_t key_count(MeasuredRow const& row, std::string_view name, std::string const& key, std::int64_t least) {
  Json const as_text{{"key", key}};
  std::optional<std::int64_t> const number = parse_integer(key);
  if (!number || *number < least || *number > most_batch)
    row.refuse(name, shown(as_text["key"]), fmt::format("a whole number from {} to {}", least, most_batch));
  return *number;
}

void take_dynamic(MeasuredRow const& row, LoadReading& into) {
  Json const& stats = row.object().at("batch_stats");
  if (!stats.is_object()) row.refuse("batch_stats", shown(stats), "{batch: {drafts: ms}}");
  for (auto const& [batch, times] : stats.items()) {
    std::int64_t const sequences = key_count(row, "a key of batch_stats", batch, 1);
    if (!times.is_object()) row.refuse("batch_stats", shown(times), "{batch: {drafts: ms}}");
    MeasuredRow const of_batch(fmt::format("{}, batch_stats[{}]", row.place(), batch), times);
    for (auto const& [drafts, ignored] : times.items())
      into.add_round(row, key_count(of_batch, "a key", drafts, 0), sequences, of_batch.time(drafts));
  }
  auto const rates = optional_reals(row.place(), row.object(), {"acceptance_rate_per_pos"});
  double before = 1;
  for (double const rate : rates) {
    if (!(rate >= 0 && rate <= before))
      row.refuse("acceptance_rate_per_pos", fmt::format("{} after {}", rate, before),
                 "shares of all rounds that kept so many drafts, which do not grow");
    before = rate;
  }
  into.table.survival = rates;
}

}  // namespace

TimeFormat vllm_dynamic() {
  return {.name = "vLLM dynamic speculation",
          .fields = {"batch_stats"},
          .load = true,
          .take_load = take_dynamic,
          .whole_rounds = true};
}

}  // namespace draftgauge::time_forms
