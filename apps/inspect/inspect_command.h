#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command inspect_command();

}  // namespace draftgauge
