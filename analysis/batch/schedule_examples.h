#pragma once
#include <vector>

#include "analysis/batch/exact_batch.h"
#include "analysis/stats/goodness.h"
#include "sim/batch/batch_engine.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// The tables on which a schedule's test plays.
Source schedule_source(ScheduleTest const& test);
/// As exact_schedule takes them.
std::vector<Rational> pass_times(ScheduleTest const& test);
/// What is played of it: rounds by Algorithm 1, one more than are drafted of a request, so that every batch has the
/// tokens that are compared.
BatchTask batch_of(ScheduleCard const& schedule, ScheduleTest const& test);

/// What a test finds: exactly, and by simulation.
struct ScheduleFinding {
  Rational distance;  ///< TV of the compared requests' texts, the mean over the first rows
  Goodness observed;  ///< the same texts' counts against the target's
  std::uint64_t rounds;
};
/// Plays at least so many rounds of requests.
ScheduleFinding examine(ScheduleCard const& schedule, ScheduleTest const& test, std::uint64_t rounds,
                        std::uint64_t seed, BatchBackend const& backend, int threads);

}  // namespace draftgauge
