#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "gpu/kernels/kernel_machine.h"

namespace draftgauge {

/// Throws what an error is called: OutOfMachineMemory, or std::runtime_error. One that is left standing would be
/// reported by a later call.
inline void check_cuda(cudaError_t error, char const* doing) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  std::string const message =
      std::string("CUDA failed ") + doing + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
  if (error == cudaErrorMemoryAllocation) throw OutOfMachineMemory(message);
  throw std::runtime_error(message);
}

/// How long a stream takes from begin() to end(), by the device's clock.
class CudaStopwatch {
 public:
  CudaStopwatch() {
    check_cuda(cudaEventCreate(&begin_), "to make an event");
    check_cuda(cudaEventCreate(&end_), "to make an event");
  }
  ~CudaStopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  CudaStopwatch(CudaStopwatch const&) = delete;
  CudaStopwatch& operator=(CudaStopwatch const&) = delete;

  void begin(cudaStream_t stream) { check_cuda(cudaEventRecord(begin_, stream), "to record an event"); }
  void end(cudaStream_t stream) { check_cuda(cudaEventRecord(end_, stream), "to record an event"); }
  /// Waits for end(). Domain: both were called.
  double seconds() const {
    float milliseconds = 0;
    check_cuda(cudaEventSynchronize(end_), "to run a kernel");
    check_cuda(cudaEventElapsedTime(&milliseconds, begin_, end_), "to read an event");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace draftgauge
