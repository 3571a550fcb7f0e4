#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {

TimeFormat llama_batched_markdown() {
  return {.name = "llama-batched-bench in Markdown",
          .fields = {"b", "tg", "t_tg s"},
          .load = true,
          .pass = [](MeasuredRow const& row, std::vector<std::string>&) -> std::optional<TimedPass> {
            auto const generated = static_cast<double>(row.count("tg", 1));
            return TimedPass{.seconds = row.time("t_tg s"), .passes = generated};
          },
          .batch = "b",
          .markdown = {{.program = "llama-batched-bench", .instead = "--output-format jsonl"}}};
}

}  // namespace draftgauge::time_forms
