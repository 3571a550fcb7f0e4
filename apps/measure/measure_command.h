#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command measure_command();

}  // namespace draftgauge
