#include "sim/task/tally.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace draftgauge {

Tally& Tally::operator+=(Tally const& other) {
  if (!(layout_ == other.layout_)) throw std::invalid_argument("tallies of different tasks cannot be added");
  std::ranges::transform(counts_, other.counts_, counts_.begin(), std::plus<>{});
  return *this;
}

}  // namespace draftgauge
