#pragma once
#include <vector>

#include "analysis/figures/figure.h"
#include "analysis/recordings/recorded.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// What figures of trees are drawn of, where that is no recording, and which tree: --accept, --source, --p and --q,
/// --rule, --tree, --mark-round and the limits of `tree`.
std::vector<Option> tree_figure_options();
/// What those say; costs are left to the caller. `args` must live as long. Throws UsageError for what contradicts, or
/// means nothing here.
FigureTrees figure_trees(Invocation const& args);

/// What figures of parallel prompt decoding are drawn of: --accept and --nodes. Throws UsageError.
FigurePrompts figure_prompts(Invocation const& args);

/// FigureRecording::ranks of what was read. `args` must live as long.
std::function<TextRanks(RankDrafts, int)> ranks_reader(Invocation const& args, Recorded const& recorded);

}  // namespace draftgauge
