#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// `draftgauge exact`: a rule's exact law on small tables, in fractions.
Command exact_command();

}  // namespace draftgauge
