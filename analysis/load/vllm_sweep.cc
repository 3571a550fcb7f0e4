#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/counters/counters.h"
#include "analysis/load/load_reading.h"
#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"

namespace draftgauge::time_forms {
namespace {

using Json = nlohmann::json;

constexpr std::string_view scheduled = "num_speculative_tokens_per_batch_size";

[[noreturn]] void refuse_schedule(MeasuredRow const& row) {
  throw InputError(fmt::format("{}: speculative_config has {} (how far a round drafted changed with the load)",
                               row.place(), scheduled),
                   "sweep each length by itself, with num_speculative_tokens alone");
}

/// How far a server of a sweep drafted: by the setting that the sweep gave it, which its CSV writes as Python does, or
/// by what it counted. None of these: it did not speculate.
std::int64_t swept_gamma(MeasuredRow const& row) {
  constexpr char const* name = "num_speculative_tokens";
  Json const* const config = member(row.object(), {"speculative_config", "speculative-config"});
  if (config && config->is_object() && member(*config, {scheduled})) refuse_schedule(row);
  if (config && config->is_object()) return drafts_in(MeasuredRow(row.place(), *config), name);
  if (config && config->is_string() && !trimmed(config->get_ref<std::string const&>()).empty()) {
    std::string_view text = config->get_ref<std::string const&>();
    if (text.find(scheduled) != text.npos) refuse_schedule(row);
    std::size_t const at = text.find(name);
    if (at == text.npos) row.refuse("speculative_config", shown(*config), "num_speculative_tokens in it");
    text.remove_prefix(std::min(text.size(), text.find_first_of("0123456789", at)));
    Json const number{{name, std::string(text.substr(0, text.find_first_not_of("0123456789")))}};
    return drafts_in(MeasuredRow(row.place(), number), name);
  }
  if (row.has(name)) return drafts_in(row, name);
  if (!row.has("spec_decode_num_drafts") || !row.has("spec_decode_draft_tokens")) return 0;
  double const rounds = row.real("spec_decode_num_drafts"), drafted = row.real("spec_decode_draft_tokens");
  double const gamma = rounds > 0 ? drafted / rounds : 0;
  if (!(gamma >= 0 && gamma <= static_cast<double>(most_positions)) || gamma != std::floor(gamma))
    row.refuse("spec_decode_draft_tokens", fmt::format("{} in {} rounds", drafted, rounds),
               "as many in every round, or num_speculative_tokens");
  return static_cast<std::int64_t>(gamma);
}

bool empty(MeasuredRow const& row, std::string_view name) {
  Json const* const value = member(row.object(), {name});
  return !value || value->is_null() || (value->is_string() && trimmed(value->get_ref<std::string const&>()).empty());
}

/// Whether requests of a sweep came at a rate, so that fewer than max_concurrency may have been decoded at once. vLLM
/// writes "inf" where all come at the beginning (vllm/benchmarks/serve.py).
bool at_a_rate(MeasuredRow const& row) {
  constexpr char const* name = "request_rate";
  if (empty(row, name)) return false;
  Json const& rate = *member(row.object(), {name});
  return !(rate.is_string() && lower(trimmed(rate.get_ref<std::string const&>())) == "inf") &&
         std::isfinite(row.real(name));
}

/// The gap between two chunks of a stream is the time of a round, which sends its tokens together.
void take_sweep(MeasuredRow const& row, LoadReading& into) {
  if (at_a_rate(row)) {
    into.note("runs at a request_rate are passed over: fewer than max_concurrency may have been decoded at once");
    return;
  }
  if (empty(row, "max_concurrency"))
    row.refuse("max_concurrency", "empty", "how many sequences were decoded at once, as --max-concurrency says it");
  std::int64_t const gamma = swept_gamma(row), batch = batch_in(row, "max_concurrency");
  LoadReading::Sum& sum = into.runs[{gamma, batch}];
  sum.ms += row.time("median_itl_ms");
  ++sum.runs;
  std::string_view const name = "spec_decode_acceptance_length";
  if (gamma == 0 || !row.has(name)) return;
  LoadReading once;
  once.add_tokens(row, name, gamma, batch);
  sum.tokens += once.table.tokens_per_round.at(gamma, batch)->value;
  ++sum.with_tokens;
}

}  // namespace

TimeFormat vllm_sweep() {
  return {.name = "vLLM bench sweep",
          .fields = {"max_concurrency", "median_itl_ms"},
          .load = true,
          .take_load = take_sweep,
          .whole_rounds = true,
          .accepted_elsewhere = true};
}

}  // namespace draftgauge::time_forms
