#pragma once
#include "sim/card.h"
#include "sim/node.h"

namespace draftgauge::drafters {

/// The k tokens that q likes best, no randomness in it; of equal ones the smaller number. For k = 1 argmax q, which is what
/// most serving engines draft. EAGLE-2 (arXiv 2406.16858) and Medusa (arXiv 2401.10774) draft their trees so.
struct Top {
  static constexpr DrafterCard card{.name = "top", .summary = "the k most likely tokens of q (k = 1: argmax q)",
                                    .distinct = true};

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance&, Node const& node, int count, Candidates& out) {
    if (count > 0) out.add(node.argmax_q());
    for (int i = 1; i < count; ++i) {
      Token best = 0;
      while (drafted(out, i, best)) ++best;
      for (Token x = best + 1; x < node.vocab(); ++x)
        if (node.q(best) < node.q(x) && !drafted(out, i, x)) best = x;
      out.add(best);
    }
  }

 private:
  DRAFTGAUGE_HD static bool drafted(Candidates const& out, int count, Token x) {
    for (int i = 0; i < count; ++i)
      if (out.token[i] == x) return true;
    return false;
  }
};

}  // namespace draftgauge::drafters
