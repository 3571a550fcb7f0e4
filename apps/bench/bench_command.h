#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

Command bench_command();

}  // namespace draftgauge
