#pragma once
#include "apps/command.h"

namespace draftgauge {

/// `draftgauge simulate`: run rounds and print their tallies and estimates.
Command simulate_command();

}  // namespace draftgauge
