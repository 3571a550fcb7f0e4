#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command list_command();

}  // namespace draftgauge
