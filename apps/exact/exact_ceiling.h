#pragma once
#include "analysis/ceiling/task_ceiling.h"
#include "analysis/exact/exact.h"
#include "analysis/report/field.h"
#include "apps/cli/invocation.h"
#include "sim/fast/engine.h"

namespace draftgauge {

/// What a rule keeps under that ceiling.
Fields<KeptByRule> kept_fields(Rational const& ceiling);

/// --ceiling: the most that any lossless rule keeps of such drafts, and the share of it that each rule keeps. kept:
/// E[τ] of the task's own. Where there are too many drafts for it that is said.
void add_ceiling(Invocation const& args, Simulation const& simulation, ExactModel const& model, Rational const& kept,
                 std::uint64_t most_paths, Result& result);

}  // namespace draftgauge
