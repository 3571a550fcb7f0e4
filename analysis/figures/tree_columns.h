#pragma once
#include <vector>

#include "sim/draft/tree_shape.h"

namespace draftgauge {

/// [nodes] the column in which each node of a drawn tree stands, its row being its depth: first children below their
/// parents, later siblings in their order to the right, as close as their subtrees allow, no two nodes of a row
/// closer than 1.
std::vector<double> tree_columns(TreeShape const& tree);

}  // namespace draftgauge
