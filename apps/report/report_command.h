#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// `draftgauge report`: one HTML page of recordings, of acceptance rates at a cost, or of both.
Command report_command();

}  // namespace draftgauge
