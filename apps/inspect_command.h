#pragma once
#include "apps/command.h"

namespace draftgauge {

Command inspect_command();

}  // namespace draftgauge
