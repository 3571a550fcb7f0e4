#pragma once
#include <initializer_list>
#include <vector>

#include "analysis/exact/rational.h"

namespace draftgauge::testing {

using RationalRow = std::vector<Rational>;

/// A row of probabilities given in tenths.
inline RationalRow tenths(std::initializer_list<int> counts) {
  RationalRow row;
  for (int const count : counts) row.emplace_back(count, 10);
  return row;
}

}  // namespace draftgauge::testing
