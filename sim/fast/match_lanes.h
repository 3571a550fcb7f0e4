#pragma once
#include "sim/fast/chain_lanes.h"

namespace draftgauge {

/// The kernel for a program that matches (ChainProgram::matches), or null where the target has none.
PlayChains match_lanes(ChainRun const& run, VectorTarget target);

}  // namespace draftgauge
