#include "analysis/load/load_reading.h"
#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {
namespace {

/// Its program runs chains where topk is 1, of as many drafts as steps; there num_draft_tokens counts the root, too.
void take_bench_speculative(MeasuredRow const& row, LoadReading& into) {
  std::int64_t const gamma = drafts_in(row, "steps");
  if (gamma > 0 && (row.count("topk", 1) > 1 || row.count("num_draft_tokens", 1) != gamma + 1)) {
    into.note("trees of drafts (topk above 1, or fewer draft tokens than steps) are passed over: γ is of chains");
    return;
  }
  std::int64_t const batch = batch_in(row, "batch_size");
  into.add_round(row, gamma, batch, row.time("step_time") * ms_per_second);
  if (gamma > 0 && row.has("acc_length")) into.add_tokens(row, "acc_length", gamma, batch);
}

}  // namespace

TimeFormat sglang_speculative() {
  return {.name = "SGLang bench_speculative",
          .fields = {"batch_size", "steps", "topk", "step_time"},
          .load = true,
          .take_load = take_bench_speculative,
          .whole_rounds = true};
}

}  // namespace draftgauge::time_forms
