#pragma once
#include <functional>
#include <string>

namespace draftgauge {

/// What a device is asked to do over and over, to know how fast it does that alone.
struct DeviceProbe {
  std::string name;
  double assumed;                ///< operations a second, by gpu/device_rates.h
  std::function<double()> rate;  ///< the best of several runs, in operations a second
};

}  // namespace draftgauge
