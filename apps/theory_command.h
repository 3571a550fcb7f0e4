#pragma once
#include "apps/command.h"

namespace draftgauge {

Command theory_command();

}  // namespace draftgauge
