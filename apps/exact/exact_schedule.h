#pragma once
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// `exact --schedule`: the joint distribution of a batch's round.
Result exact_of_schedule(Invocation const& args);

}  // namespace draftgauge
