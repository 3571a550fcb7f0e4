#include "gpu/cuda_machine.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "gpu/kernels/cuda_check.h"
#include "gpu/thrust/cell_counter.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t threads = 1024;

/// A block as kernels see it (gpu/kernels/round_kernel.h).
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
    DRAFTGAUGE_THRUST_NAMESPACE::add_atomically(cell, n);
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

constexpr auto check = check_cuda;

/// Seconds that launches have taken in this process.
std::atomic<double> busy = 0;

cudaDeviceProp properties() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "to find a device");
  if (count == 0) throw std::runtime_error("CUDA has no device");
  cudaDeviceProp found{};
  check(cudaGetDeviceProperties(&found, 0), "to describe the device");
  return found;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "to describe the device");
  return value;
}

class CudaMachine : public KernelMachine {
 public:
  explicit CudaMachine(int device) : device_(device) {
    use();
    cudaFuncAttributes loaded{};
    check(cudaFuncGetAttributes(&loaded, philox_words), "to load this program's code");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "to make a stream");
    watch_.emplace();
  }
  ~CudaMachine() override {
    cudaSetDevice(device_);
    cudaStreamDestroy(stream_);
  }

  void use() const override { check(cudaSetDevice(device_), "to choose the device"); }
  Shape shape() const override { return shape_; }
  std::uint64_t free_bytes() const override {
    use();
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "to ask for its memory");
    constexpr std::size_t reserve = std::size_t{256} << 20;  // of the driver, and of these kernels' stacks
    // (those of the generic engine take gigabytes: where it has no room for them its launch says so)
    return free > reserve ? free - reserve : 0;
  }

  void* allocate(std::size_t bytes, Place place) override {
    use();
    void* array = nullptr;
    if (place == Place::device)
      check(cudaMalloc(&array, bytes), "to allocate memory of the device");
    else
      check(cudaHostAlloc(&array, bytes, cudaHostAllocMapped), "to allocate memory of the host");
    return array;
  }
  void release(void* array, Place place) noexcept override {
    cudaSetDevice(device_);
    place == Place::device ? cudaFree(array) : cudaFreeHost(array);
  }
  void write(void* to, void const* from, std::size_t bytes) override {
    use();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "to copy to the device");
    check(cudaStreamSynchronize(stream_), "to copy to the device");
  }
  void clear(void* to, std::size_t bytes) override {
    use();
    check(cudaMemsetAsync(to, 0, bytes, stream_), "to clear");
  }
  void read(void* to, void const* from, std::size_t bytes) override {
    use();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "to copy from the device");
    check(cudaStreamSynchronize(stream_), "to run a kernel");
    if (launched_) busy += watch_->seconds();
    launched_ = false;
  }

  void launch(kernels::Kind const& kind, kernels::Launch const& launch) override {
    use();
    std::uint64_t const bytes = kernels::shared_bytes(launch, kind.shared, sizeof(DeviceBlock::Counter));
    kernels::with_kernel(kind, launch, [&](auto const& kernel) { start(kernel, bytes); });
  }

 private:
  template <class Kernel>
  void start(Kernel const& kernel, std::uint64_t bytes) {
    // Of each device, and too cheap to remember of which it was done.
    check(cudaFuncSetAttribute(run<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape_.shared_bytes)),
          "to reserve shared memory");
    if (!launched_) watch_->begin(stream_);
    run<Kernel><<<shape().blocks, threads, bytes, stream_>>>(kernel);
    check(cudaGetLastError(), "to start a kernel");
    watch_->end(stream_);
    launched_ = true;
  }

  int device_;
  Shape shape_ = {
      .threads = threads,
      .blocks = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount, device_)),
      .queue = 8192,
      .shared_bytes = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_)),
      .counter_bytes = sizeof(DeviceBlock::Counter),
      .most_counted = ~DeviceBlock::Counter{0}};
  cudaStream_t stream_ = nullptr;
  std::optional<CudaStopwatch> watch_;  ///< from the first launch since counts were read to the last
  bool launched_ = false;               ///< since then
};

}  // namespace

CudaAnswers cuda_answers() {
  CudaAnswers answers;
  cudaDriverGetVersion(&answers.driver);  // left alone by an error, as is what follows
  cudaRuntimeGetVersion(&answers.runtime);
  cudaError_t const error = cudaGetDeviceCount(&answers.devices);
  if (error != cudaSuccess && error != cudaErrorNoDevice) answers.failure = cudaGetErrorString(error);
  if (answers.devices > 0) {
    cudaDeviceGetAttribute(&answers.major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&answers.minor, cudaDevAttrComputeCapabilityMinor, 0);
  }
  static_cast<void>(cudaGetLastError());  // one that is left standing would be thrown by the next call of Thrust
  return answers;
}

CudaDevice cuda_device() {
  cudaDeviceProp const found = properties();
  double const bytes_a_cycle = 2 * attribute(cudaDevAttrGlobalMemoryBusWidth, 0) / 8.;
  return {found.name, found.multiProcessorCount, 1e3 * attribute(cudaDevAttrClockRate, 0), found.totalGlobalMem,
          bytes_a_cycle * 1e3 * attribute(cudaDevAttrMemoryClockRate, 0)};
}

double cuda_busy() { return busy; }

std::shared_ptr<KernelMachine> cuda_machine(int device) { return std::make_shared<CudaMachine>(device); }

std::vector<Philox::Words> cuda_philox(Philox::Key key, std::span<Philox::Words const> counters) {
  CudaMachine machine(0);
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
