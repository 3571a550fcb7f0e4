#pragma once
#include "analysis/report/field.h"
#include "analysis/stats/tree_counts.h"
#include "apps/cli/invocation.h"
#include "sim/model/quantise.h"
#include "sim/task/tally.h"
#include "sim/task/task.h"

namespace draftgauge {

/// A tally and all that is said beside it, wherever it was played.
struct Counted {
  Task task;              ///< its defaults filled in
  std::string canonical;  ///< canonical_text
  std::string source;     ///< the laws, in words for readers
  Contexts contexts;
  Rounding rounding;
  Range range;  ///< from the first trial to behind the last
  Tally tally;
};

/// What a tally estimates.
FieldCards estimate_cards();
/// What was accepted by depth and by rank among siblings.
Fields<RankCounts> rank_fields();

/// The document and the sections of `draftgauge simulate`: counts, and estimates at --cost, --ops-cost, --confidence.
Result tally_report(Invocation const& args, Counted const& counted);

}  // namespace draftgauge
