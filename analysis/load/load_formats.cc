#include "analysis/load/load_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "analysis/counters/json_fields.h"
#include "analysis/load/batch_grid.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "sim/base/add_once.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

constexpr char const* only_model = "model";

void check_batch(MeasuredRow const& row, std::string_view name, std::int64_t batch) {
  if (batch < 1 || batch > most_batch)
    row.refuse(name, fmt::format("{}", batch), fmt::format("a number of sequences from 1 to {}", most_batch));
}

std::int64_t batch_of(MeasuredRow const& row, std::string_view name) {
  std::int64_t const batch = row.count(name, 0);
  check_batch(row, name, batch);
  return batch;
}

void add_pass(MeasuredRow const& row, LoadReading& into, std::string const& model, std::int64_t tokens,
              std::int64_t batch, double ms) {
  if (into.table.models[model].ms.add(tokens, batch, ms)) return;
  row.refuse_second(
      fmt::format("T({}) of {} with {}", tokens, model, counted(static_cast<std::uint64_t>(batch), "sequence")));
}

void add_round(MeasuredRow const& row, LoadReading& into, std::int64_t gamma, std::int64_t batch, double ms) {
  if (into.table.models[only_model].ms.add(gamma + 1, batch, ms)) return;
  row.refuse_second(
      fmt::format("the round of {} drafts with {}", gamma, counted(static_cast<std::uint64_t>(batch), "sequence")));
}

/// E[N], which is 1 or more.
void add_tokens(MeasuredRow const& row, LoadReading& into, std::string_view name, std::int64_t gamma,
                std::int64_t batch) {
  double const tokens = row.real(name);
  if (!(tokens >= 1 && tokens <= static_cast<double>(gamma + 1)))
    row.refuse(name, fmt::format("{}", tokens), fmt::format("a number from 1 to {}, γ + 1", gamma + 1));
  into.table.tokens_per_round.add(gamma, batch, tokens);
}

std::int64_t drafts_of(MeasuredRow const& row, std::string_view name) {
  std::int64_t const gamma = row.count(name, 0);
  if (gamma > static_cast<std::int64_t>(most_positions))
    row.refuse(name, fmt::format("{}", gamma), fmt::format("a number of drafts up to {}", most_positions));
  return gamma;
}

void take_batch_table(MeasuredRow const& row, LoadReading& into) {
  std::string const model = row.has("model") ? row.text("model") : only_model;
  add_pass(row, into, model, row.count("tokens", 1), batch_of(row, "batch"), row.time("ms"));
}

void take_cost(MeasuredRow const& row, LoadReading& into) {
  add_pass(row, into, row.phase(), row.count("tokens", 1), batch_of(row, "batch"),
           row.time("mean_s") * ms_per_second);
}

void take_batched(MeasuredRow const& row, LoadReading& into) {
  std::int64_t const generated = row.count("tg", 0);
  if (generated == 0) return;
  add_pass(row, into, only_model, 1, batch_of(row, "pl"),
           row.time("t_tg") * ms_per_second / static_cast<double>(generated));
}

void take_batched_markdown(MeasuredRow const& row, LoadReading& into) {
  std::int64_t const generated = row.count("tg", 1);
  add_pass(row, into, only_model, 1, batch_of(row, "b"),
           row.time("t_tg s") * ms_per_second / static_cast<double>(generated));
}

/// "6.74 B": for which model is the larger.
double parameters_of(MeasuredRow const& row) {
  std::string const text = row.has("params") ? row.text("params") : "";
  std::string_view rest = text;
  double const number = take_real(rest).value_or(0);
  std::string_view const unit = trimmed(rest);
  return number * (unit == "B" ? 1e9 : unit == "M" ? 1e6 : unit == "K" ? 1e3 : 1);
}

/// "pp 512" or "tg128" at "131.42 ± 0.59" tokens a second.
void take_bench_markdown(MeasuredRow const& row, LoadReading& into) {
  std::string const test = row.text("test"), rate = row.text("t/s");
  if (test.find_first_of("@+") != test.npos) {
    into.note(
        "tests behind other text (pp512 @ d4096), or of prompt and generation together (pp512+tg128), are passed "
        "over");
    return;
  }
  std::string_view number = std::string_view(test).substr(std::min<std::size_t>(2, test.size())), speed = rate;
  bool const prompt = test.starts_with("pp"), generated = test.starts_with("tg");
  Json const written{{"tokens", std::string(trimmed(number))}};
  if (!prompt && !generated) row.refuse("test", in_quotes(test), "pp and a number of tokens, or tg");
  std::int64_t const tokens = MeasuredRow(row.place(), written).count("tokens", 1);
  std::optional<double> const per_second = take_real(speed);
  if (!per_second || !(*per_second > 0)) row.refuse("t/s", in_quotes(rate), "a rate above 0");
  std::string const model = row.has("model") ? row.text("model") : only_model;
  std::int64_t const pass = prompt ? tokens : 1;
  add_pass(row, into, model, pass, 1, ms_per_second * static_cast<double>(pass) / *per_second);
  into.table.models[model].parameters = parameters_of(row);
  if (prompt) into.note(last_token_note);
}

void take_one_batch(MeasuredRow const& row, LoadReading& into) {
  add_pass(row, into, only_model, 1, batch_of(row, "batch_size"), row.time("median_decode_latency") * ms_per_second);
}

/// Its program runs chains where topk is 1, of as many drafts as steps; there num_draft_tokens counts the root, too.
void take_bench_speculative(MeasuredRow const& row, LoadReading& into) {
  std::int64_t const gamma = drafts_of(row, "steps");
  if (gamma > 0 && (row.count("topk", 1) > 1 || row.count("num_draft_tokens", 1) != gamma + 1)) {
    into.note("trees of drafts (topk above 1, or fewer draft tokens than steps) are passed over: γ is of chains");
    return;
  }
  std::int64_t const batch = batch_of(row, "batch_size");
  add_round(row, into, gamma, batch, row.time("step_time") * ms_per_second);
  if (gamma > 0 && row.has("acc_length")) add_tokens(row, into, "acc_length", gamma, batch);
}

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
  if (config && config->is_object()) return drafts_of(MeasuredRow(row.place(), *config), name);
  if (config && config->is_string() && !trimmed(config->get_ref<std::string const&>()).empty()) {
    std::string_view text = config->get_ref<std::string const&>();
    if (text.find(scheduled) != text.npos) refuse_schedule(row);
    std::size_t const at = text.find(name);
    if (at == text.npos) row.refuse("speculative_config", shown(*config), "num_speculative_tokens in it");
    text.remove_prefix(std::min(text.size(), text.find_first_of("0123456789", at)));
    Json const number{{name, std::string(text.substr(0, text.find_first_not_of("0123456789")))}};
    return drafts_of(MeasuredRow(row.place(), number), name);
  }
  if (row.has(name)) return drafts_of(row, name);
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
  std::int64_t const gamma = swept_gamma(row), batch = batch_of(row, "max_concurrency");
  LoadReading::Sum& sum = into.runs[{gamma, batch}];
  sum.ms += row.time("median_itl_ms");
  ++sum.runs;
  std::string_view const name = "spec_decode_acceptance_length";
  if (gamma == 0 || !row.has(name)) return;
  LoadReading once;
  add_tokens(row, once, name, gamma, batch);
  sum.tokens += once.table.tokens_per_round.at(gamma, batch)->value;
  ++sum.with_tokens;
}

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
      add_round(row, into, key_count(of_batch, "a key", drafts, 0), sequences, of_batch.time(drafts));
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

void LoadReading::note(std::string text) { add_once(table.notes, std::move(text)); }

std::span<LoadFormat const> load_formats() {
  static std::array<LoadFormat, 9> const all = {
      {{"batch table", {"batch", "tokens", "ms"}, false, take_batch_table},
       {"cost.csv", {"phase", "batch", "tokens", "mean_s"}, false, take_cost},
       {"llama-batched-bench", {"pl", "tg", "t_tg"}, false, take_batched},
       {"llama-batched-bench in Markdown", {"b", "tg", "t_tg s"}, false, take_batched_markdown},
       {"llama-bench in Markdown", {"test", "t/s"}, false, take_bench_markdown},
       {"SGLang bench_one_batch", {"batch_size", "median_decode_latency"}, false, take_one_batch},
       {"SGLang bench_speculative", {"batch_size", "steps", "topk", "step_time"}, true, take_bench_speculative},
       {"vLLM bench sweep", {"max_concurrency", "median_itl_ms"}, true, take_sweep, true},
       {"vLLM dynamic speculation", {"batch_stats"}, true, take_dynamic}}};
  return all;
}

}  // namespace draftgauge
