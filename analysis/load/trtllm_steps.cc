#include <nlohmann/json.hpp>

#include "analysis/load/step_parts.h"
#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {
namespace {

void take_trtllm_steps(MeasuredRow const& row, LoadReading& into) {
  StepParts parts{.fixed_ms = row.has("fixed_overhead_ms") ? row.real("fixed_overhead_ms") : 0,
                  .sequences = {},
                  .sequence_ms = {},
                  .tokens = growing_numbers(row, "token_counts"),
                  .token_ms = {}};
  parts.token_ms = times_beside(row, "step_time_ms", parts.tokens.size(), 1);
  if (row.has("batch_sizes") || row.has("batch_overhead_ms")) {
    parts.sequences = growing_numbers(row, "batch_sizes");
    parts.sequence_ms = times_beside(row, "batch_overhead_ms", parts.sequences.size(), 1);
    parts.add_to(row, into);
    return;
  }
  for (std::size_t i = 0; i < parts.tokens.size(); ++i)
    into.add_pass(row, only_model, 1, static_cast<std::int64_t>(parts.tokens[i]), parts.fixed_ms + parts.token_ms[i]);
}

}  // namespace

TimeFormat trtllm_steps() {
  return {.name = "TensorRT-LLM's step times",
          .fields = {"token_counts", "step_time_ms"},
          .load = true,
          .take_load = take_trtllm_steps};
}

}  // namespace draftgauge::time_forms
