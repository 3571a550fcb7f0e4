#pragma once
#include "analysis/exact/exact.h"
#include "apps/output/result.h"
#include "sim/fast/engine.h"

namespace draftgauge {

/// Of a rule whose output is not the target's: what it emits, and how many more drafts could be accepted at the same
/// distance (docs/lossy.md). `length` tokens were compared.
void add_lossy_report(Simulation const& simulation, ExactModel const& model, ExactText const& exact, int length,
                      std::uint64_t most_paths, Result& result);

}  // namespace draftgauge
