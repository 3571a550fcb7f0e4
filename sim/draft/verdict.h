#pragma once
#include "sim/chance/chance.h"

namespace draftgauge {

/// What a node rule says: go on below child `child`, or emit `token` and end the round.
struct Step {
  int child;  ///< −1: emit
  Token token;

  DRAFTGAUGE_HD bool descends() const { return child >= 0; }
};
DRAFTGAUGE_HD inline Step descend(int child) { return {child, 0}; }
DRAFTGAUGE_HD inline Step emit(Token token) { return {-1, token}; }

/// Where a rule ends a round: it accepts the drafts from the root down to `node`, whose depth is τ, then emits `token`.
struct Stop {
  std::uint32_t node;
  Token token;  ///< any number where a round emits none there: below a whole path, without a bonus token
};

/// The first of a node's first `count` children that is x, or −1 where none is.
template <class Node>
DRAFTGAUGE_HD int candidate_that_is(Token x, Node const& node, int count) {
  for (int i = 0; i < count; ++i)
    if (node.child(i) == x) return i;
  return -1;
}

}  // namespace draftgauge
