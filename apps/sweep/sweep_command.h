#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// `draftgauge sweep`
Command sweep_command();

}  // namespace draftgauge
