#pragma once
#include "apps/command.h"

namespace draftgauge {

Command bench_command();

}  // namespace draftgauge
