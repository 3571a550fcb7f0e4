#include "analysis/open/text_cards.h"

#include <nlohmann/json.hpp>

#include "analysis/counters/read_engine_log.h"
#include "analysis/load/load_table.h"
#include "analysis/recordings/columns.h"
#include "analysis/recordings/costs/cost_file.h"
#include "analysis/recordings/costs/measured_lines.h"
#include "analysis/recordings/format_names.h"
#include "analysis/recordings/logprobs/logprob_form.h"
#include "analysis/recordings/record_kinds.h"
#include "sim/base/letters.h"

namespace draftgauge {

std::vector<std::string> lower_keys(nlohmann::json const& record) {
  std::vector<std::string> keys;
  if (record.is_object())
    for (auto const& [key, ignored] : record.items()) keys.push_back(lower(key));
  return keys;
}

std::vector<TextCard> const& text_cards() {
  static std::string const along = "α, tokens per round, speed-up at the text's own temperature";
  static std::vector<TextCard> const cards = {
      {.kind = TextKind::columns,
       .name = "columns",
       .summary = ".tsv, .csv or .jsonl with log p and log q of each token",
       .gives = along,
       .is_record = [](nlohmann::json const& record) { return are_columns(lower_keys(record)); },
       .has_names = are_columns,
       .could_have_names = could_be_columns,
       .read =
           [](std::string const& file, std::string_view text, TextOptions const& options) {
             return read_columns(
                 file, text,
                 {.temperature = options.temperature, .as_written = options.as_written, .base = options.base});
           }},
      {.kind = TextKind::log_probabilities,
       .name = "log-probabilities",
       .summary = "responses of " + logprob_servers() + ", a file a model",
       .gives = along,
       .is_record = has_logprobs,
       .read_one_model =
           [](std::string const& file, std::string_view text, TextOptions const& options) {
             return read_logprobs(
                 file, text,
                 {.prompt_tokens = options.prompt_tokens, .temperature = options.temperature, .base = options.base});
           }},
      {.kind = TextKind::costs,
       .name = "costs",
       .summary = cost_format_names(),
       .gives = "c and v(n), for `cost`",
       .is_record = is_cost_record,
       .has_names = are_costs,
       .refusal = "it says what passes cost, not what models say of a text (there is nothing to measure in it)",
       .hint = "give it as the cost file beside a recording"},
      {.kind = TextKind::logs,
       .name = "logs",
       .summary = "rounds, and counters of " + counter_engines(),
       .gives = "what an engine did, for `log`",
       .is_record = is_engine_record,
       .is_text = is_engine_text,
       .refusal = "it is what an engine prints of its rounds (it has no probabilities)",
       .hint = "measure, gamma, why and report read it alone; `log` holds it against a recording"},
      {.kind = TextKind::loads,
       .name = "loads",
       .summary = load_format_names(),
       .gives = "γ of each batch size, for `load`",
       .is_record = is_load_record,
       .has_names = are_load_columns,
       .is_line = [](std::string_view line) { return markdown_format(line) != nullptr; },
       .refusal = "it says how long steps take, not what models say of a text (there is nothing to measure in it)",
       .hint = "give it to gamma or figure as `load`, for the γ of each batch size"}};
  return cards;
}

}  // namespace draftgauge
