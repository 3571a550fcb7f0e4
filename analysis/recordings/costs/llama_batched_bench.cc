#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {

TimeFormat llama_batched_bench() {
  return {.name = "llama-batched-bench",
          .fields = {"pl", "tg", "t_tg"},
          .cost = true,
          .load = true,
          .pass = [](MeasuredRow const& row, std::vector<std::string>&) -> std::optional<TimedPass> {
            std::int64_t const generated = row.count("tg", 0);
            if (generated == 0) return {};
            return TimedPass{.seconds = row.time("t_tg"), .passes = static_cast<double>(generated)};
          },
          .batch = "pl",
          .batch_as_tokens = true};
}

}  // namespace draftgauge::time_forms
