#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/kernel_machine.h"

namespace draftgauge {

/// A CUDA device as kernels use it; only where the build has nvcc.
struct CudaDevice {
  std::string name;
  int multiprocessors;
  double clock;  ///< cycles a second, at most
  std::uint64_t memory;
};

/// Why no device can be used here, such as that there is no driver; empty where one can.
std::string why_no_cuda_device();

/// The device that is used, the first that there is. Throws std::runtime_error where there is none, saying why.
CudaDevice cuda_device();

/// The machine of that device. Throws std::runtime_error as above.
std::shared_ptr<KernelMachine> cuda_machine();

/// Philox::bits of each counter, computed on the device: for known answers.
std::vector<Philox::Words> cuda_philox(Philox::Key key, std::span<Philox::Words const> counters);

}  // namespace draftgauge
