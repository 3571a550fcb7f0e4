#pragma once
#include "sim/base/host_device.h"

namespace draftgauge {

/// Those lanes of a device's warp that run side by side where this is made wait for each other in meet(), which each
/// of them calls once. Lanes that leave a loop at different turns would else go on one by one for good, and all that
/// follows would be executed once for each of them. On a host there is nothing to do.
class LanesTogether {
 public:
  DRAFTGAUGE_HD LanesTogether() {
#if defined(__CUDA_ARCH__)
    lanes_ = __activemask();
#endif
  }
  /// All lanes of the warp, of which none may have left it: none that strays is lost for the turns to come.
  DRAFTGAUGE_HD static LanesTogether all() { return LanesTogether(~0u); }
  DRAFTGAUGE_HD void meet() const {
#if defined(__CUDA_ARCH__)
    __syncwarp(lanes_);
#endif
  }

 private:
  DRAFTGAUGE_HD explicit LanesTogether(unsigned lanes) : lanes_(lanes) {}

  [[maybe_unused]] unsigned lanes_ = 0;
};

}  // namespace draftgauge
