#pragma once
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// `simulate --schedule`: batches of requests, what they emit and verify, and whether their texts are jointly the
/// target's.
Result simulate_batch(Invocation const& args);

}  // namespace draftgauge
