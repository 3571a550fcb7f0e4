#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command gamma_command();

}  // namespace draftgauge
