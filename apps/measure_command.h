#pragma once
#include "apps/command.h"

namespace draftgauge {

Command measure_command();

}  // namespace draftgauge
