#include "gpu/cuda_probes.h"

#include <cudaTypedefs.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "gpu/cuda_machine.h"
#include "gpu/device_rates.h"
#include "gpu/kernels/cuda_check.h"
#include "gpu/probe_places.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t threads = 1024;        // of a block, as the kernels have
constexpr std::uint32_t operations = 1 << 16;  // of a thread: what a launch takes, some 5 us, is little beside them
constexpr std::uint32_t chains = 8;            // of a thread that do not wait for each other
constexpr int runs = 5;

/// What keeps a probe's work from being left out: it never comes to this number.
__device__ void keep(std::uint32_t* out, std::uint32_t x) {
  if (x == 0x9e3779b9u && out[0] == 1) out[0] = x;
}

template <bool Wide>
__global__ void products(std::uint32_t* out, std::uint32_t factor) {
  std::uint32_t x[chains];
  for (std::uint32_t i = 0; i < chains; ++i) x[i] = threadIdx.x + i;
  for (std::uint32_t n = 0; n < operations / chains; ++n)
#pragma unroll
    for (std::uint32_t i = 0; i < chains; ++i) {
      std::uint64_t const product = std::uint64_t{x[i]} * factor;
      x[i] = Wide ? static_cast<std::uint32_t>(product >> 32) ^ static_cast<std::uint32_t>(product)
                  : static_cast<std::uint32_t>(product);
    }
  std::uint32_t all = 0;
  for (std::uint32_t i = 0; i < chains; ++i) all ^= x[i];
  keep(out, all);
}

/// 8 bytes at random places of a block's table of so many entries, a power of two.
__global__ void shared_reads(std::uint32_t* out, std::uint32_t entries) {
  extern __shared__ std::uint64_t table[];
  for (std::uint32_t i = threadIdx.x; i < entries; i += blockDim.x) table[i] = i;
  __syncthreads();
  std::uint32_t place = probes::first_place(blockIdx.x * blockDim.x + threadIdx.x), all = 0;
  for (std::uint32_t n = 0; n < operations; ++n) {
    place = probes::next_place(place);
    all += static_cast<std::uint32_t>(table[probes::entry(place, entries)]);
  }
  keep(out, all);
}

/// A count in the lane's own bank, as of accepted lengths.
__global__ void shared_counts(std::uint32_t* out) {
  __shared__ std::uint32_t counters[8 * 32];
  if (threadIdx.x < 8 * 32) counters[threadIdx.x] = 0;
  __syncthreads();
  std::uint32_t which = probes::first_place(blockIdx.x * blockDim.x + threadIdx.x);
  for (std::uint32_t n = 0; n < operations; ++n) {
    which = probes::next_place(which);
    atomicAdd(counters + probes::entry(which, 8) * 32 + threadIdx.x % 32, 1u);
  }
  __syncthreads();
  keep(out, counters[threadIdx.x % 32]);
}

/// 8 bytes at random places of a table in the device's memory; `entries`: a power of two.
__global__ void reads(std::uint32_t* out, std::uint64_t const* table, std::uint32_t entries) {
  std::uint32_t place = probes::first_place(blockIdx.x * blockDim.x + threadIdx.x), all = 0;
  for (std::uint32_t n = 0; n < operations; ++n) {
    place = probes::next_place(place);
    all += static_cast<std::uint32_t>(table[probes::far_entry(place, entries)]);
  }
  keep(out, all);
}

/// A count of each warp in one cell of the device's memory.
__global__ void counts(unsigned long long* cell) {
  if (threadIdx.x % 32 == 0)
    for (std::uint32_t n = 0; n < operations / 32; ++n) atomicAdd(cell, 1ull);
}

/// The rate of `total` operations that launch(out) starts.
template <class Launch>
double best_rate(double total, Launch const& launch) {
  auto const machine = cuda_machine(0);
  MachineArray<std::uint32_t> out(*machine, 1);
  out.clear();
  check_cuda(cudaDeviceSynchronize(), "to clear");  // in a stream of its own
  CudaStopwatch watch;
  double best = 0;
  for (int i = 0; i <= runs; ++i) {  // the first also loads the code
    watch.begin(nullptr);
    launch(out.data());
    check_cuda(cudaGetLastError(), "to start a probe");
    watch.end(nullptr);
    if (double const took = watch.seconds(); i > 0 && took > 0) best = std::max(best, total / took);
  }
  return best;
}

double table_reads(double total, unsigned blocks, std::uint32_t entries) {
  auto const machine = cuda_machine(0);
  MachineArray<std::uint64_t> table(*machine, entries);
  table.clear();
  return best_rate(total, [&](std::uint32_t* out) { reads<<<blocks, threads>>>(out, table.data(), entries); });
}

/// A function of the driver, which this program is not linked with, as it was since that version of CUDA.
template <class Function>
Function driver(char const* name, unsigned since) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  check_cuda(cudaGetDriverEntryPointByVersion(name, &found, since, cudaEnableDefault, &result), "to ask its driver");
  if (found == nullptr) throw std::runtime_error(std::string("the CUDA driver has no ") + name);
  return reinterpret_cast<Function>(found);
}

/// Contexts made a second, beside the one that this program has: what a process waits for before its first launch.
double contexts() {
  auto const make = driver<PFN_cuCtxCreate_v3020>("cuCtxCreate", 3020);
  auto const drop = driver<PFN_cuCtxDestroy_v4000>("cuCtxDestroy", 4000);
  double best = 0;
  for (int i = 0; i < runs; ++i) {
    CUcontext context = nullptr;
    auto const begin = std::chrono::steady_clock::now();
    CUresult const made = make(&context, 0, 0);
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    if (made != CUDA_SUCCESS) throw std::runtime_error("the CUDA driver makes no second context");
    drop(context);
    best = std::max(best, 1 / took.count());
  }
  return best;
}

}  // namespace

std::vector<DeviceProbe> cuda_probes() {
  CudaDevice const device = cuda_device();
  auto const blocks = static_cast<unsigned>(device.multiprocessors);
  double const cycles = device.multiprocessors * device.clock, total = double{operations} * threads * blocks;
  auto const shared = [=](std::uint32_t entries) {
    return best_rate(total,
                     [=](std::uint32_t* out) { shared_reads<<<blocks, threads, 8 * entries>>>(out, entries); });
  };
  return {{"products of 32 bits", device_rates::products * cycles,
           [=] {
             return best_rate(total,
                              [=](std::uint32_t* out) { products<false><<<blocks, threads>>>(out, 1664525u); });
           }},
          {"products of 64 bits", device_rates::wide_products * cycles,
           [=] {
             return best_rate(total, [=](std::uint32_t* out) { products<true><<<blocks, threads>>>(out, 1664525u); });
           }},
          {"random reads of 256 B of shared memory", 32 / device_rates::near_wavefronts * cycles,
           [=] { return shared(32); }},
          {"random reads of 8 KiB of shared memory", 32 / device_rates::far_wavefronts * cycles,
           [=] { return shared(1024); }},
          {"counts in a lane's own bank", device_rates::own_bank_counts * cycles,
           [=] { return best_rate(total, [=](std::uint32_t* out) { shared_counts<<<blocks, threads>>>(out); }); }},
          {"random reads of 32 MiB, in L2", device_rates::l2_reads * cycles,
           [=] { return table_reads(total, blocks, 1u << 22); }},
          {"random reads of 1 GiB, beyond L2", device.bandwidth / device_rates::bytes_of_far_read,
           [=] { return table_reads(total, blocks, 1u << 27); }},
          {"counts of warps in one cell", device_rates::warps_in_one_cell * device.clock,
           [=] {
             auto const machine = cuda_machine(0);
             MachineArray<unsigned long long> cell(*machine, 1);
             cell.clear();
             return best_rate(total / 32 / 32, [&](std::uint32_t*) { counts<<<blocks, threads>>>(cell.data()); });
           }},
          {"contexts made", 11, contexts}};
}

}  // namespace draftgauge
