#pragma once
#include "apps/command.h"

namespace draftgauge {

Command list_command();

}  // namespace draftgauge
