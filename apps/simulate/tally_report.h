#pragma once
#include "analysis/report/tally.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// A tally with its estimates, at --cost, --ops-cost and --confidence. `counted` must outlive it.
TallyReport tally_report(Invocation const& args, Counted const& counted);
/// The title and the sections of `draftgauge simulate`.
Result tally_result(Invocation const& args, TallyReport const& report);

}  // namespace draftgauge
