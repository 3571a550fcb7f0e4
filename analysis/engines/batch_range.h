#pragma once
#include <cstdint>

namespace draftgauge {

/// Batch sizes with one best γ.
struct BatchRange {
  std::int64_t first, last, gamma;
};

}  // namespace draftgauge
