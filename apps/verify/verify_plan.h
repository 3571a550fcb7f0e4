#pragma once
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// `verify --plan`: how many rounds would certify or find a first token's distance --tv, with --schedule that of the first
/// tokens of all requests jointly, and with --time how fast they
/// must be; plays none. Throws UsageError without --tv, or where it is not in (0, 1), or for several tasks.
Result verify_plan(Invocation const& args);

}  // namespace draftgauge
