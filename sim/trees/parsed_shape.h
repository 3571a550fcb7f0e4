#pragma once
#include "sim/trees/tree_text.h"

namespace draftgauge {

/// Node by node the tree that was read. Throws UsageError for an even one that has too many.
inline TreeShape shape_of(ParsedTree const& tree) {
  if (!tree.even()) return tree.uneven;
  return TreeShape::of_levels(std::vector<int>(static_cast<std::size_t>(tree.gamma), tree.candidates));
}

}  // namespace draftgauge
