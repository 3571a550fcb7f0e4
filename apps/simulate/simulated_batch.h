#pragma once
#include "apps/cli/invocation.h"
#include "apps/output/result.h"
#include "sim/batch/batch_simulation.h"

namespace draftgauge {

/// The batches that --rounds (of all requests together) or --range asks for; with --time alone as many as there are.
Range batches_from(Invocation const& args, BatchTask const& batch);

/// `simulate --schedule`: batches of requests, what they emit and verify, and whether their texts are jointly the
/// target's.
Result simulate_batch(Invocation const& args);

}  // namespace draftgauge
