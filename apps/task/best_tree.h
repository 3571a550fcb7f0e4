#pragma once
#include <string>

#include "apps/cli/invocation.h"
#include "sim/draft/tree_text.h"

namespace draftgauge {

/// Whether --tree names a way to choose a tree, and not a shape: sequoia:64, ppd:vicuna-7b,109 or those of
/// tree_grown.h.
bool names_best_tree(std::string const& text);

/// The tree that it says. Of sequoia it is the tree of so many nodes whose rounds emit the most tokens by the
/// acceptance of ranks on the SOURCE of these options, for the drafter of --rule or --drafter; of ppd that of the
/// last state, or the one named, within so many tokens a pass. Throws UsageError where it cannot be known.
ParsedTree best_tree(Invocation const& args, std::string const& text);

}  // namespace draftgauge
