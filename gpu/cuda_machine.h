#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/device_lack.h"
#include "gpu/kernels/kernel_machine.h"

namespace draftgauge {

/// A CUDA device as kernels use it; only where the build has nvcc.
struct CudaDevice {
  std::string name;
  int multiprocessors;
  double clock;  ///< cycles a second, at most
  std::uint64_t memory;
  double bandwidth;  ///< of that memory, bytes a second at most
};

/// What is known of driver and device before one is used.
CudaAnswers cuda_answers();

/// The first device that there is. Throws std::runtime_error where there is none, saying why.
CudaDevice cuda_device();

/// The machine of the device of that number. Throws std::runtime_error as above, and where the device is not to be
/// had (taken by another program, faulty, without memory for a context) or this build's code does not load there.
std::shared_ptr<KernelMachine> cuda_machine(int device);

/// Seconds that launches of such machines have taken in this process so far, by the device's clock.
double cuda_busy();

/// Philox::bits of each counter, computed on the device: for known answers.
std::vector<Philox::Words> cuda_philox(Philox::Key key, std::span<Philox::Words const> counters);

}  // namespace draftgauge
