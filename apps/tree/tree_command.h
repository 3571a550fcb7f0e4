#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command tree_command();

}  // namespace draftgauge
