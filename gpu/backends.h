#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device_lack.h"
#include "gpu/device_probe.h"
#include "gpu/kernel_backend.h"

namespace draftgauge {

/// Why the CUDA device cannot be used, as far as that can be said without using it.
DeviceLack const& device_lack_here();

/// Every backend that can play here: serial, cpu, every rule on Thrust's OpenMP system (thrust-omp), and
/// where the build has CUDA and a device is found thrust-cuda and the kernels, cuda. `say` hears of what a backend
/// hands on to another when it is made ready.
std::vector<Backend> all_backends(Say const& say = {});

/// The backend of that name, or the one that "auto", "thrust" or "cuda" choose. `say` hears as well of a choice that a
/// user may not expect, such as that there is no CUDA device. Throws UsageError for an unknown name.
///   auto    cuda where there is a device, else cpu; that is said where a device seems to be there, and cannot be used
///   thrust  thrust-cuda where there is a device, else thrust-omp
///   cuda    cuda where there is a device, else cpu
Backend choose_backend(std::string_view name, Say const& say = {});

/// The CUDA device, where there is one.
struct DeviceFigures {
  std::string name;
  double cycles;     ///< of its multiprocessors a second, all together
  double l2_reads;   ///< of a sector at random, a second
  double far_reads;  ///< the same, from the memory beyond L2
};
std::optional<DeviceFigures> device_figures();

/// `cuda` with tables in host memory, as where the device has no room for them: for what that costs. Domain: there is
/// a device.
Backend on_bus(Say const& say);
/// Seconds that the kernels of `cuda` have taken in this process, by the device's clock. Domain: as above.
double device_busy();
/// The share of a simulation's rounds that its kernels settle beside their tables, foreseen; 0 where it has none.
double share_left_open(Simulation const& simulation);
/// What bounds of its kernels are made of. Domain: as above.
std::vector<DeviceProbe> device_probes();

/// What can be asked for by name, and what it means here.
struct BackendName {
  std::string name, summary;
};
std::vector<BackendName> backend_names();

}  // namespace draftgauge
