#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/counters/json_fields.h"
#include "analysis/load/step_parts.h"
#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {
namespace {

void take_steps(MeasuredRow const& row, LoadReading& into) {
  std::vector<double> const tokens = growing_numbers(row, "sample_batch_tokens");
  std::vector<double> const rates = optional_reals(row.place(), row.object(), {"sample_steps_per_sec"});
  if (rates.size() != tokens.size())
    row.refuse("sample_steps_per_sec", fmt::format("a list of {}", rates.size()),
               fmt::format("{} rates, one for each number of tokens", tokens.size()));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!(rates[i] > 0)) row.refuse("sample_steps_per_sec", fmt::format("{:g}", rates[i]), "steps a second, above 0");
    into.add_pass(row, only_model, 1, static_cast<std::int64_t>(tokens[i]), ms_per_second / rates[i]);
  }
  into.note("SGLang looks a number of tokens up at the next smaller entry; here times lie on straight lines between");
}

}  // namespace

TimeFormat sglang_steps() {
  return {.name = "SGLang's steps per second",
          .fields = {"sample_batch_tokens", "sample_steps_per_sec"},
          .load = true,
          .take_load = take_steps};
}

}  // namespace draftgauge::time_forms
