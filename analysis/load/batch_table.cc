#include "analysis/load/load_reading.h"
#include "analysis/recordings/costs/time_format.h"

namespace draftgauge::time_forms {

// By itself and no pass(): its milliseconds are kept to the last bit.
TimeFormat batch_table() {
  return {.name = "batch table",
          .fields = {"batch", "tokens", "ms"},
          .load = true,
          .take_load = [](MeasuredRow const& row, LoadReading& into) {
            into.add_pass(row, row.has("model") ? row.text("model") : only_model, row.count("tokens", 1),
                          batch_in(row, "batch"), row.time("ms"));
          }};
}

}  // namespace draftgauge::time_forms
