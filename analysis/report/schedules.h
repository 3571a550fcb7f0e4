#pragma once
#include <string>
#include <vector>

#include "analysis/load/scheduled_batch.h"
#include "analysis/report/field.h"

namespace draftgauge {

Described<ScheduleRow> const& describe(ScheduleRow const* row);
Described<ScheduleRows> const& describe(ScheduleRows const* rows);

/// What `draftgauge gamma --schedule` prints.
struct SchedulesReport {
  std::string name;  ///< of the texts
  std::size_t texts;
  int gamma;
  std::string estimates;
  double confidence;
  std::vector<std::string> notes;
  std::vector<ScheduleRows> batches = {};
};
Described<SchedulesReport> const& describe(SchedulesReport const* report);

}  // namespace draftgauge
