#pragma once
#include "sim/draft/card.h"
#include "sim/model/node.h"

namespace draftgauge::drafters {

/// The k tokens that q likes best, no randomness in it; of equal ones the smaller number. For k = 1 argmax q, which
/// is what most serving engines draft. EAGLE-2 (arXiv 2406.16858) and Medusa (arXiv 2401.10774) draft their trees so.
struct Top {
  static constexpr DrafterCard card{
      .name = "top", .summary = "the k most likely tokens of q (k = 1: argmax q)", .distinct = true};
  static constexpr int reads_top = 1;

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance&, Node const& node, int count, Children& out) {
    for (int i = 0; i < count; ++i) out.add(node.top_q(i));
  }
};

}  // namespace draftgauge::drafters
