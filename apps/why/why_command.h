#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command why_command();

}  // namespace draftgauge
