#pragma once
#include "analysis/report/field.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// Of a test.
FieldCards faulty_cards();

/// `verify --faulty`: every faulty rule, and every schedule that peeks, on the smallest table that shows it, and on a test
/// too weak to see it. Status::done when each is caught by the first, exactly and by simulation, and passes the second.
Result faulty_rules(Invocation const& args);

}  // namespace draftgauge
