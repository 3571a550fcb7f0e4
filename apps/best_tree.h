#pragma once
#include <string>

#include "apps/invocation.h"
#include "sim/trees/tree_text.h"

namespace draftgauge {

/// Whether --tree names a size, and not a shape: sequoia:64.
bool names_best_tree(std::string const& text);

/// The tree of so many nodes whose rounds emit the most tokens by the acceptance of ranks on the SOURCE of these options, for
/// the drafter of --rule or --drafter. Throws UsageError where that is not one source and one rule.
ParsedTree best_tree(Invocation const& args, std::string const& text);

}  // namespace draftgauge
