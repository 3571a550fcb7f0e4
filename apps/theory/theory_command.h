#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command theory_command();

}  // namespace draftgauge
