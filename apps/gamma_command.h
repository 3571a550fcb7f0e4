#pragma once
#include "apps/command.h"

namespace draftgauge {

Command gamma_command();

}  // namespace draftgauge
