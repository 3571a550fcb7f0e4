#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/scheduling/scheduled_server.h"
#include "analysis/report/field.h"

namespace draftgauge {

Described<ScheduleRow> const& describe(ScheduleRow const* row);
Described<ScheduleRows> const& describe(ScheduleRows const* rows);

Described<ServedSchedule> const& describe(ServedSchedule const* row);
Described<ServedSchedules> const& describe(ServedSchedules const* served);

/// A table that was written for an engine.
struct WrittenTable {
  std::string kind, path;
  std::optional<double> worst_error = {};  ///< of its times
  std::optional<bool> step = {};           ///< whether an engine sees a step in them
};
Described<WrittenTable> const& describe(WrittenTable const* table);

/// What `draftgauge gamma --schedule` prints.
struct SchedulesReport {
  std::string name;  ///< of the texts
  std::size_t texts;
  int gamma;
  std::string estimates;                       ///< the first kind
  std::vector<std::string> all_estimates = {};  ///< every kind
  double confidence;
  std::vector<std::string> notes;
  std::vector<ScheduleRows> batches = {};             ///< empty at a rate of requests
  std::optional<ServedSchedules> served = {};
  std::vector<WrittenTable> tables = {};
};
Described<SchedulesReport> const& describe(SchedulesReport const* report);

}  // namespace draftgauge
