#pragma once
#include "sim/card.h"
#include "sim/node.h"

namespace draftgauge::drafters {

/// Every candidate of a position is an independent draw from q.
struct Sample {
  static constexpr DrafterCard card{.name = "sample", .summary = "independent draws from q", .distinct = false};

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Candidates& out) {
    for (int i = 0; i < count; ++i) out.add(chance.pick(node.draft()));
  }

  /// Weight of x in the law of candidate i given the candidates before it; the weights sum to mass(node, i).
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight weight(Node const& node, int, Token x) {
    return node.q(x);
  }
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Weight mass(Node const& node, int) {
    return node.total();
  }
};

}  // namespace draftgauge::drafters
