#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/model/node.h"

namespace draftgauge::drafters {

/// Children of a position are drawn from q without replacement; once all of q's support is drafted, uniformly from
/// the tokens that are not. Sequoia (arXiv 2402.12374), Algorithm 2, draws and verifies so.
struct SampleWithout {
  static constexpr DrafterCard card{
      .name = "sample-without", .summary = "draws from q without replacement", .distinct = true};
  static constexpr bool reads_order = true;
  static constexpr bool sums_orders = true;  ///< formulas of its drafts have a term for each order of the first k − 1

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Children& out) {
    out.add(chance.pick(node.draft()));
    for (int i = 1; i < count; ++i) out.add(another(chance, node, i));
  }

  /// Child i, where the first i, all different, are drawn.
  template <class Chance, class Node>
  DRAFTGAUGE_HD static Token another(Chance& chance, Node const& node, int i) {
    return mass(node, i) > 0 ? chance.pick(node.q_without(i)) : any_other(chance, node, i);
  }

  /// The share of q that child i is drawn from, given the children before it; 0: q has nothing left, and it is
  /// uniform over vocab − i tokens.
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight mass(Node const& node, int i) {
    typename Node::Weight left = node.total();
    for (int j = 0; j < i; ++j) left -= node.q(node.child(j));
    return left;
  }

 private:
  /// One of the tokens that are not among the first i children, uniformly.
  template <class Chance, class Node>
  DRAFTGAUGE_HD static Token any_other(Chance& chance, Node const& node, int i) {
    std::uint32_t const n = chance.pick(Uniform{node.vocab() - static_cast<std::uint32_t>(i)});
    for (Token x = n;;) {  // number n of those that are left: as many children as stand before it move it on
      std::uint32_t before = 0;
      for (int j = 0; j < i; ++j) before += node.child(j) <= x;
      if (x == n + before) return x;
      x = n + before;
    }
  }
};

}  // namespace draftgauge::drafters
