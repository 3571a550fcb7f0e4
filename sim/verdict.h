#pragma once
#include "sim/chance.h"

namespace draftgauge {

/// What a node rule says: go on below candidate `child`, or emit `token` and end the round.
struct Step {
  int child;  ///< −1: emit
  Token token;

  DRAFTGAUGE_HD bool descends() const { return child >= 0; }
};
DRAFTGAUGE_HD inline Step descend(int child) { return {child, 0}; }
DRAFTGAUGE_HD inline Step emit(Token token) { return {-1, token}; }

/// What a path rule says of a chain of drafts: keep the first `kept` tokens, then emit `token`.
struct Cut {
  int kept;  ///< τ
  Token token;
};

}  // namespace draftgauge
