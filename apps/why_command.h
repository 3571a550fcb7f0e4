#pragma once
#include "apps/command.h"

namespace draftgauge {

Command why_command();

}  // namespace draftgauge
