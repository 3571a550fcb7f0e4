#pragma once
#include <string>
#include <vector>

#include "analysis/exact/rational.h"
#include "apps/cli/invocation.h"
#include "sim/schedules/schedules.h"

namespace draftgauge {

/// Which drafts of a batch are verified: --schedule, --requests, --estimates, --pass-times.
/// times: what passes take where --pass-times is not given, for help.
OptionGroup schedule_options(std::string const& times = "all equal");
/// Throws UsageError where one of the others is given without --schedule.
void refuse_without_schedule(Invocation const& args);

/// The names of right schedules, for help.
std::string schedule_names();
/// [slots + 1] times of passes that verify so many slots: those of --pass-times, and beyond them along the last step.
/// `standard` where the option is not given. Throws UsageError for a time that is 0.
std::vector<Rational> pass_times_from(Invocation const& args, int slots, std::string const& standard = "1");

}  // namespace draftgauge
