#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/letters.h"
#include "sim/base/lists.h"

namespace draftgauge::time_forms {
namespace {

/// "6.74 B": for which model is the larger.
double parameters_of(MeasuredRow const& row) {
  std::string const text = row.has("params") ? row.text("params") : "";
  std::string_view rest = text;
  double const number = take_real(rest).value_or(0);
  std::string_view const unit = trimmed(rest);
  return number * (unit == "B" ? 1e9 : unit == "M" ? 1e6 : unit == "K" ? 1e3 : 1);
}

/// "pp 512" or "tg128" at "131.42 ± 0.59" tokens a second.
std::optional<TimedPass> rated_pass(MeasuredRow const& row, std::vector<std::string>& notes) {
  std::string const test = row.text("test"), rate = row.text("t/s");
  if (test.find_first_of("@+") != test.npos) {
    add_once(notes, std::string("tests behind other text (pp512 @ d4096), or of prompt and generation together "
                                "(pp512+tg128), are passed over"));
    return {};
  }
  std::string_view number = std::string_view(test).substr(std::min<std::size_t>(2, test.size())), speed = rate;
  bool const prompt = test.starts_with("pp"), generated = test.starts_with("tg");
  nlohmann::json const written{{"tokens", std::string(trimmed(number))}};
  if (!prompt && !generated) row.refuse("test", in_quotes(test), "pp and a number of tokens, or tg");
  std::int64_t const tokens = MeasuredRow(row.place(), written).count("tokens", 1);
  std::optional<double> const per_second = take_real(speed);
  speed = trimmed(speed);
  bool const whole = speed.empty() || speed.starts_with("±");  // "131,42" does not end behind 131
  if (!per_second || !(*per_second > 0 && std::isfinite(*per_second)) || !whole)
    row.refuse("t/s", in_quotes(rate), "a rate above 0");
  std::int64_t const pass = prompt ? tokens : 1;
  // At R tokens a second R passes of n tokens take n seconds.
  return TimedPass{.model = row.has("model") ? row.text("model") : "model",
                   .tokens = pass,
                   .seconds = static_cast<double>(pass),
                   .passes = *per_second,
                   .parameters = parameters_of(row),
                   .caveat = prompt ? last_token_note : std::string_view()};
}

}  // namespace

TimeFormat llama_bench_markdown() {
  return {.name = "llama-bench in Markdown",
          .fields = {"test", "t/s"},
          .load = true,
          .pass = rated_pass,
          .markdown = {{.program = "llama-bench", .instead = "-o jsonl"}}};
}

}  // namespace draftgauge::time_forms
