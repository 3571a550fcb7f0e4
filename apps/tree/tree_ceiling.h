#pragma once
#include <optional>

#include "analysis/exact/rational.h"
#include "apps/cli/invocation.h"
#include "apps/output/result.h"
#include "apps/tree/tree_report.h"
#include "sim/play/simulation.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// E[τ] that no lossless rule exceeds, in the mean over where rounds may start; none where they have more than so many
/// drafts.
std::optional<Rational> enumerated_ceiling(Simulation const& simulation, Source const& source,
                                           std::uint64_t most_drafts);

/// --ceiling: the most that any lossless rule keeps of the tree's drafts, exact for small tables and else a bound by
/// sampled drafts, beside what the tree's own rule keeps. independent: contexts do not depend on what was drafted.
/// Adds them to the result.
void add_tree_ceiling(Invocation const& args, Source const& source, TreeAsked const& asked, ReportedTree const& best,
                      bool independent, Result& result);

}  // namespace draftgauge
