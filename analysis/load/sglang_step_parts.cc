#include <nlohmann/json.hpp>

#include "analysis/load/step_parts.h"
#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {
namespace {

void take_additive_steps(MeasuredRow const& row, LoadReading& into) {
  StepParts parts{.fixed_ms = ms_per_second * row.real("bias_seconds"),
                  .sequences = growing_numbers(row, "bs_probes"),
                  .sequence_ms = {},
                  .tokens = growing_numbers(row, "m_probes"),
                  .token_ms = {}};
  parts.sequence_ms = times_beside(row, "alpha_seconds", parts.sequences.size(), ms_per_second);
  parts.token_ms = times_beside(row, "theta_seconds", parts.tokens.size(), ms_per_second);
  parts.add_to(row, into);
}

}  // namespace

TimeFormat sglang_step_parts() {
  return {.name = "SGLang's additive steps",
          .fields = {"bias_seconds", "bs_probes", "alpha_seconds", "m_probes", "theta_seconds"},
          .load = true,
          .take_load = take_additive_steps};
}

}  // namespace draftgauge::time_forms
