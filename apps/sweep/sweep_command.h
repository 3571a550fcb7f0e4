#pragma once
#include "apps/command.h"

namespace draftgauge {

/// `draftgauge sweep`
Command sweep_command();

}  // namespace draftgauge
