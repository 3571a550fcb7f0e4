#pragma once
#include "sim/chance/chance.h"

namespace draftgauge {

inline constexpr int max_children = 32;
inline constexpr int max_gamma = 256;

/// The tokens drafted for one position.
struct Children {
  Token token[max_children];
  int count = 0;

  DRAFTGAUGE_HD Children() { token[0] = 0; }  // the others are not read before they are drawn

  DRAFTGAUGE_HD void add(Token x) { token[count++] = x; }
};

}  // namespace draftgauge
