#pragma once
#include "apps/invocation.h"
#include "apps/result.h"
#include "apps/tree_report.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// --ceiling: the most that any lossless rule keeps of the tree's drafts, exact for small tables and else a bound by sampled
/// drafts, beside what the tree's own rule keeps. independent: contexts do not depend on what was drafted. Adds them to the
/// result.
void add_tree_ceiling(Invocation const& args, Source const& source, TreeAsked const& asked, ReportedTree const& best,
                      bool independent, Result& result);

}  // namespace draftgauge
