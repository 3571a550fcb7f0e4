#pragma once
#include <vector>

#include "sim/draft/children.h"
#include "sim/draft/round_shape.h"

namespace draftgauge {

/// A rule may need a number that is dear to compute and depends on the laws of a place, and on how many tokens are
/// drafted there, alone, such as k-SEQ's ρ. It then has a function
///
///     template <class Node> typename Node::Real row_constant(Node const& node, int children) const
///
/// which is asked once per row and number of children, on the host, before rounds are played; node.constant() gives the
/// answer back. It is found by asking for the rule's `has_row_constant`.
template <class Rule>
inline constexpr bool has_row_constant = requires { Rule::has_row_constant; };

/// [children][rows] that rule's numbers, from one child on; those of no node of the tree are 0.
template <class Rule, class Model>
auto row_constants(Rule const& rule, Model const& model, RoundShape const& shape) {
  Children const none;
  std::uint32_t const rows = model.contexts().rows;
  std::vector<decltype(rule.row_constant(model.node(0, none), 1))> constants(std::size_t{rows} *
                                                                              static_cast<unsigned>(shape.branching));
  for (int count = 1; count <= shape.branching; ++count) {
    if (!shape.has_node_with(count)) continue;
    for (std::uint32_t row = 0; row < rows; ++row)
      constants[static_cast<std::size_t>(count - 1) * rows + row] = rule.row_constant(model.node(row, none), count);
  }
  return constants;
}

}  // namespace draftgauge
