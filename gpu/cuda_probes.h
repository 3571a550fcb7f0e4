#pragma once
#include <vector>

#include "gpu/device_probe.h"

namespace draftgauge {

/// What the bounds of the kernels are made of, each asked of the whole device by itself. Throws as cuda_device()
/// does; a probe's rate() throws std::runtime_error where the device fails at it.
std::vector<DeviceProbe> cuda_probes();

}  // namespace draftgauge
