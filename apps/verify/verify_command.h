#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// `draftgauge verify`: do the theorems hold? Theory, enumeration and simulation side by side.
Command verify_command();

}  // namespace draftgauge
