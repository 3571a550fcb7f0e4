#pragma once
#include <utility>

#include "sim/draft/tree_text.h"

namespace draftgauge {

/// Node by node the tree that was read. Throws UsageError for an even one that has too many.
inline TreeShape shape_of(ParsedTree const& tree) {
  if (!tree.even()) return tree.uneven;
  return TreeShape::of_levels(std::vector<int>(static_cast<std::size_t>(tree.gamma), tree.branching));
}

/// The other way round: an even tree is told by its two numbers.
inline ParsedTree as_played(TreeShape tree) {
  ParsedTree parsed{tree.depth(), tree.widest()};
  if (!tree.even()) parsed.uneven = std::move(tree);
  return parsed;
}

}  // namespace draftgauge
