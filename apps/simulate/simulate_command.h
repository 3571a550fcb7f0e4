#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// `draftgauge simulate`: run rounds and print their tallies and estimates.
Command simulate_command();

}  // namespace draftgauge
