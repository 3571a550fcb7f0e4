#pragma once
#include "sim/draft/card.h"
#include "sim/model/node.h"

namespace draftgauge::drafters {

/// Every child of a position is an independent draw from q.
struct Sample {
  static constexpr DrafterCard card{.name = "sample", .summary = "independent draws from q", .distinct = false};

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Children& out) {
    for (int i = 0; i < count; ++i) out.add(chance.pick(node.draft()));
  }

  /// The share of q that child i is drawn from, given the children before it; 0: q has nothing left.
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight mass(Node const& node, int) {
    return node.total();
  }
};

}  // namespace draftgauge::drafters
