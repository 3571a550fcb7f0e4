#pragma once
#include "sim/base/host_device.h"

namespace draftgauge::rules {

/// 1 − (1 − x)^k: one of k independent events of probability x happens.
template <class Real>
DRAFTGAUGE_HD Real within_k(Real const& x, int k) {
  Real none = 1;
  for (int i = 0; i < k; ++i) none = none * (Real(1) - x);
  return Real(1) - none;
}

}  // namespace draftgauge::rules
