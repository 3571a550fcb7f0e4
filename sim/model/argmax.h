#pragma once
#include "sim/chance/chance.h"

namespace draftgauge {

/// The index of the largest weight(x), x < size; of equal ones the smallest. size ≥ 1.
template <class F>
DRAFTGAUGE_HD Token argmax(std::uint32_t size, F const& weight) {
  Token best = 0;
  for (Token x = 1; x < size; ++x)
    if (weight(best) < weight(x)) best = x;
  return best;
}

}  // namespace draftgauge
