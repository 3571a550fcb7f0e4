#pragma once
#include <span>
#include <vector>

#include "sim/draft/tree_shape.h"

namespace draftgauge {

/// Medusa's greedy construction (Cai et al. 2024, arXiv 2401.10774, Appendix on tree construction): from the root on,
/// of all next siblings and first children the node of greatest Π P is added, until there are `nodes` with the root.
/// As good as any tree where P falls with the rank; else it may miss what stands behind a poor sibling.
///
/// heads[d][r]: P of rank r + 1 among siblings of depth d + 1, in [0, 1]; the last head stands for all deeper ones.
/// Fewer nodes where no more can be added: no head has more ranks than max_children, and no tree is deeper than
/// max_gamma. Ties go to the node that could be added first.
TreeShape medusa_tree(std::span<std::vector<double> const> heads, int nodes);

}  // namespace draftgauge
