#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {

TimeFormat cost_csv() {
  return {.name = "cost.csv",
          .fields = {"phase", "batch", "tokens", "mean_s"},
          .cost = true,
          .load = true,
          .pass = [](MeasuredRow const& row, std::vector<std::string>&) -> std::optional<TimedPass> {
            return TimedPass{.model = row.phase(), .tokens = row.count("tokens", 1), .seconds = row.time("mean_s")};
          },
          .batch = "batch",
          .constant = {"batch", "ctx"}};
}

}  // namespace draftgauge::time_forms
