#include "gpu/cuda_machine.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

namespace draftgauge {
namespace {

constexpr std::uint32_t threads = 1024;

/// A block as kernels see it (gpu/kernels/chain_kernel.h).
struct DeviceBlock {
  using Counter = std::uint32_t;

  __device__ std::uint32_t threads() const { return blockDim.x; }
  __device__ std::uint32_t blocks() const { return gridDim.x; }
  __device__ std::uint32_t index() const { return blockIdx.x; }
  __device__ std::byte* memory() const {
    extern __shared__ std::uint64_t shared[];
    return reinterpret_cast<std::byte*>(shared);
  }
  template <class F>
  __device__ void each(F const& f) const {
    f(threadIdx.x);
    __syncthreads();
  }
  __device__ bool any(bool alive) const { return __any_sync(__activemask(), alive); }
  __device__ void count(Counter* counter) const { atomicAdd(counter, 1u); }
  __device__ std::uint32_t take(std::uint32_t* counter) const { return atomicAdd(counter, 1u); }
  __device__ void add(std::uint64_t* cell, std::uint64_t n) const {
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    atomicAdd(reinterpret_cast<unsigned long long*>(cell), static_cast<unsigned long long>(n));
  }
};

template <class Kernel>
__global__ void __launch_bounds__(threads, 1) run(Kernel const __grid_constant__ kernel) {
  DeviceBlock block;
  kernel(block);
}

__global__ void philox_words(Philox::Schedule const __grid_constant__ keys, Philox::Words* words, std::size_t size) {
  std::size_t const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) words[i] = Philox::bits_by(words[i], keys);
}

/// Throws what an error is called. One that is left standing would be reported by a later call.
void check(cudaError_t error, char const* doing) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  std::string const message =
      std::string("CUDA failed ") + doing + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
  if (error == cudaErrorMemoryAllocation) throw OutOfMachineMemory(message);
  throw std::runtime_error(message);
}

cudaDeviceProp properties() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "to find a device");
  if (count == 0) throw std::runtime_error("CUDA has no device");
  cudaDeviceProp found{};
  check(cudaGetDeviceProperties(&found, 0), "to describe the device");
  return found;
}

class CudaMachine : public KernelMachine {
 public:
  CudaMachine() : device_(properties()) {
    check(cudaSetDevice(0), "to choose the device");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "to make a stream");
  }
  ~CudaMachine() override { cudaStreamDestroy(stream_); }

  Shape shape() const override {
    return {.threads = threads,
            .blocks = static_cast<std::uint32_t>(device_.multiProcessorCount),
            .queue = 2048,
            .shared_bytes = device_.sharedMemPerBlockOptin,
            .counter_bytes = sizeof(DeviceBlock::Counter),
            .most_counted = ~DeviceBlock::Counter{0}};
  }
  std::uint64_t free_bytes() const override {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "to ask for its memory");
    constexpr std::size_t reserve = std::size_t{256} << 20;  // of the driver, and of stacks
    return free > reserve ? free - reserve : 0;
  }

  void* allocate(std::size_t bytes, Place place) override {
    void* array = nullptr;
    if (place == Place::device)
      check(cudaMalloc(&array, bytes), "to allocate memory");
    else
      check(cudaHostAlloc(&array, bytes, cudaHostAllocMapped), "to allocate host memory");
    return array;
  }
  void release(void* array, Place place) noexcept override {
    place == Place::device ? cudaFree(array) : cudaFreeHost(array);
  }
  void write(void* to, void const* from, std::size_t bytes) override {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "to copy to the device");
    check(cudaStreamSynchronize(stream_), "to copy to the device");
  }
  void clear(void* to, std::size_t bytes) override { check(cudaMemsetAsync(to, 0, bytes, stream_), "to clear"); }
  void read(void* to, void const* from, std::size_t bytes) override {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "to copy from the device");
    check(cudaStreamSynchronize(stream_), "to run a kernel");
  }

  void launch(kernels::ChainKind const& kind, kernels::ChainLaunch const& launch) override {
    std::uint64_t const bytes = kernels::chain_bytes(launch, kind.shared, sizeof(DeviceBlock::Counter));
    kernels::with_kernel(kind, launch, [&](auto const& kernel) { start(kernel, bytes); });
  }
  void launch(kernels::WalkKind const& kind, kernels::WalkLaunch const& launch) override {
    std::uint64_t const bytes = kernels::walk_bytes(launch, sizeof(DeviceBlock::Counter));
    kernels::with_kernel(kind, launch, [&](auto const& kernel) { start(kernel, bytes); });
  }

 private:
  template <class Kernel>
  void start(Kernel const& kernel, std::uint64_t bytes) {
    check(cudaFuncSetAttribute(run<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          "to reserve shared memory");
    run<Kernel><<<shape().blocks, threads, bytes, stream_>>>(kernel);
    check(cudaGetLastError(), "to start a kernel");
  }

  cudaDeviceProp device_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

std::string why_no_cuda_device() {
  int count = 0;  // left alone by an error
  cudaError_t const error = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());  // one that is left standing would be thrown by the next call of Thrust
  if (error != cudaSuccess) return std::string("no CUDA device was found: ") + cudaGetErrorString(error);
  return count > 0 ? "" : "no CUDA device was found";
}

CudaDevice cuda_device() {
  cudaDeviceProp const found = properties();
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0), "to ask for its clock");
  return {found.name, found.multiProcessorCount, 1e3 * kilohertz, found.totalGlobalMem};
}

std::shared_ptr<KernelMachine> cuda_machine() { return std::make_shared<CudaMachine>(); }

std::vector<Philox::Words> cuda_philox(Philox::Key key, std::span<Philox::Words const> counters) {
  CudaMachine machine;
  MachineArray<Philox::Words> const words(machine, counters);
  auto const blocks = static_cast<unsigned>((counters.size() + 255) / 256);
  std::vector<Philox::Words> out(counters.size());
  philox_words<<<blocks, 256>>>(Philox::Schedule(key), words.data(), words.size());
  check(cudaGetLastError(), "to start a kernel");
  check(cudaDeviceSynchronize(), "to run a kernel");
  words.read_to(out);
  return out;
}

}  // namespace draftgauge
