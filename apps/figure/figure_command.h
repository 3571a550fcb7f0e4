#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// `draftgauge figure NAME… | all [FILE…]`: the papers' figures recomputed, and a recording's.
Command figure_command();

}  // namespace draftgauge
