#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {

TimeFormat passes() {
  return {.name = "passes",
          .fields = {"model", "n_tokens"},
          .time = "median_ms or mean_ms",
          .cost = true,
          .pass = [](MeasuredRow const& row, std::vector<std::string>&) -> std::optional<TimedPass> {
            std::string_view const field = row.has("median_ms") ? "median_ms" : "mean_ms";
            return TimedPass{
                .model = row.text("model"), .tokens = row.count("n_tokens", 1), .seconds = row.time(field) * 1e-3};
          }};
}

}  // namespace draftgauge::time_forms
