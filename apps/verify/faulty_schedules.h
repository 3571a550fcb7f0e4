#pragma once
#include "analysis/report/field.h"
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// Of a test of a schedule.
FieldCards faulty_schedule_cards();

/// The schedules that are lossy for some p, q and times, each on the smallest batch that shows it and on a test too weak
/// to see it. Adds tables and "schedules" to the result of `verify --faulty`, and says how many are caught by the first,
/// exactly and by simulation, and pass the second.
struct CaughtSchedules {
  std::size_t caught, all;
};
CaughtSchedules add_faulty_schedules(Result& result, Invocation const& args, double false_alarm);
/// How many there are.
std::size_t faulty_schedule_count();

}  // namespace draftgauge
