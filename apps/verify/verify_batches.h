#pragma once
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// `verify --schedule`: whether a lossless rule stays lossless under schedules, for all requests of a batch jointly, by
/// simulation and, where the batch is small, by enumeration. A faulty schedule plays on the smallest table that shows
/// it where no SOURCE is named.
Result verify_batches(Invocation const& args);

}  // namespace draftgauge
