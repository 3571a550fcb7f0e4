#include <cuda_runtime.h>

#include "gpu/thrust_engine.inl"

namespace draftgauge::thrust_cuda {

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  static_cast<void>(cudaGetLastError());  // an error that is left standing would be thrown by the next Thrust call
  return 0;
}

}  // namespace draftgauge::thrust_cuda
