#pragma once

namespace draftgauge {

/// A rule may need a number that is dear to compute and depends on the laws of a place alone, such as k-SEQ's ρ. It then
/// has a function
///
///     template <class Node> static typename Node::Real row_constant(Node const& node, int candidates)
///
/// which is asked once per row, on the host, before rounds are played; node.constant() gives the answer back. It is
/// found by asking for the rule's `has_row_constant`.
template <class Rule>
inline constexpr bool has_row_constant = requires { Rule::has_row_constant; };

}  // namespace draftgauge
