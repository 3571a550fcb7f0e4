#pragma once
#include "apps/invocation.h"
#include "apps/result.h"

namespace draftgauge {

/// `verify --museum`: every wrong rule on the smallest table that shows it, and on a test too weak to see it. Status::done
/// when each is caught by the first, exactly and by simulation, and passes the second.
Result museum_table(Invocation const& args);

}  // namespace draftgauge
