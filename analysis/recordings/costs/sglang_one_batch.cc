#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {

TimeFormat sglang_one_batch() {
  return {.name = "SGLang bench_one_batch",
          .fields = {"batch_size", "median_decode_latency"},
          .load = true,
          .pass = [](MeasuredRow const& row, std::vector<std::string>&) -> std::optional<TimedPass> {
            return TimedPass{.seconds = row.time("median_decode_latency")};
          },
          .batch = "batch_size"};
}

}  // namespace draftgauge::time_forms
