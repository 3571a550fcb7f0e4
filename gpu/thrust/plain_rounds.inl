#if defined(DRAFTGAUGE_HD)
#error "what is laid out in line is said before sim/base/host_device.h is read"
#endif
#define DRAFTGAUGE_IN_LINE
#include "gpu/thrust/guard.inl"

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>

#include "gpu/thrust/cell_counter.h"
#include "gpu/thrust/plain_rounds.h"
#include "gpu/thrust/plain_tasks.h"
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#include "gpu/kernels/cuda_check.h"
#endif

/// A kernel for each rule, in which nothing is called but what is seldom: what a round draws then stands in registers,
/// and what plain tasks have alike is known to the compiler. With chains that is 3 to 7 times as fast on an H100 as the
/// generic engine (bench/results/gpu.md), whose one kernel for all rules calls what they have in common.
namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {
namespace {

/// A worker's scalars among those of others.
struct WorkersScalars {
  WorkersCounts counts;

  DRAFTGAUGE_HD void add(TallyLayout::Field field, std::uint64_t n) { counts[field] += n; }
};

template <class Rule>
struct PlayPlain {
  Rule rule;
  TrialPlan task;
  Range range;
  std::uint64_t workers;
  std::uint64_t* cells;

  /// How many counts a worker keeps, which are added to as many of the first cells.
  DRAFTGAUGE_HD std::size_t kept() const {
    return TallyLayout::scalars + static_cast<std::size_t>(CellCounter::summed(task.tally));
  }

  /// Plays every `workers`-th trial of the range, from number `worker` on. counts: [kept()].
  DRAFTGAUGE_HD void play_every(std::uint64_t worker, WorkersCounts counts) const {
    TrialPlan const plan = with_constants<Rule>(task);
    WorkersScalars sums{counts};
    for (std::size_t i = 0; i < TallyLayout::scalars; ++i) counts[i] = 0;
    CellCounter count(plan.tally, cells, {&counts[TallyLayout::scalars], counts.stride});
    // All workers go through as many turns, so that a device need not know in which one it is for each thread.
    for (std::uint64_t first = 0; first < range.end - range.begin; first += workers) {
      LanesTogether const lanes = LanesTogether::all();
      if (std::uint64_t const i = first + worker; i < range.end - range.begin)
        play_trial_of(range.begin + i, plan, sums, count);
      lanes.meet();
    }
  }
  template <class Count>
  DRAFTGAUGE_HD void play_trial_of(std::uint64_t trial, TrialPlan const& plan, WorkersScalars& sums,
                                   Count& count) const {
    if constexpr (Rule::shape == Shape::node)
      play_walked_trial(rule, plan, trial, sums, count);
    else
      play_kept_trial(rule, plan, trial, sums, count);
  }

  /// What a worker of the host does, where they meet in the cells alone.
  DRAFTGAUGE_HD void operator()(std::uint64_t worker) const {
    std::uint64_t counts[TallyLayout::scalars + CellCounter::most_summed];
    play_every(worker, {counts});
    for (std::size_t i = 0; i < kept(); ++i) add_atomically(cells + i, counts[i]);
  }
};

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
/// Blocks of a multiprocessor: as many as leave each thread 80 registers, with 24 warps to wait for each other's reads.
constexpr int threads = 128, blocks = 6;
static_assert((TallyLayout::scalars + CellCounter::most_summed) * threads * sizeof(std::uint64_t) <= 48 << 10,
              "a block's counts fit in what every device gives it without being asked");

/// A thread is a worker, whose counts are in the memory of its block: registers are scarce, and few of them are
/// touched in a turn.
template <class Rule>
__global__ void __launch_bounds__(threads, blocks) run_plain(PlayPlain<Rule> const __grid_constant__ work) {
  extern __shared__ std::uint64_t counts[];  // [kept][threads]
  work.play_every(std::uint64_t{blockIdx.x} * threads + threadIdx.x, {counts + threadIdx.x, threads});
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < work.kept(); i += threads) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < threads; ++j)
      sum += counts[i * threads + (i + j) % threads];  // each from its own bank
    add_atomically(work.cells + i, sum);
  }
}

/// Blocks that the device holds at a time, with so many bytes of memory each.
template <class Rule>
std::uint64_t blocks_at_a_time(std::size_t bytes) {
  int device = 0, multiprocessors = 0, each = 0;
  check_cuda(cudaGetDevice(&device), "to find the device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
             "to describe the device");
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, run_plain<Rule>, threads, bytes),
             "to describe a kernel");
  return static_cast<std::uint64_t>(multiprocessors) * static_cast<std::uint64_t>(std::max(each, 1));
}

template <class Rule>
void start(PlayPlain<Rule> work) {
  constexpr std::uint64_t times_full = 4;  // so that multiprocessors end together
  std::size_t const bytes = work.kept() * threads * sizeof(std::uint64_t);
  std::uint64_t const used =
      std::min(times_full * blocks_at_a_time<Rule>(bytes), (work.range.size() + threads - 1) / threads);
  work.workers = used * threads;
  run_plain<<<static_cast<unsigned>(used), threads, bytes>>>(work);
  check_cuda(cudaGetLastError(), "to start a kernel");
}
#else
template <class Rule>
void start(PlayPlain<Rule> const& work) {
  thrust::for_each_n(thrust::device, thrust::counting_iterator<std::uint64_t>(0), work.workers, work);
}
#endif

using Start = void(Parameters const&, TrialPlan const&, Range const&, std::uint64_t workers, std::uint64_t* cells);

template <class Rule>
constexpr Start* starter() {
  if constexpr (!laid_out<Rule>)
    return nullptr;
  else
    return [](Parameters const& values, TrialPlan const& plan, Range const& range, std::uint64_t workers,
              std::uint64_t* cells) { start(PlayPlain<Rule>{rule_with<Rule>(values), plan, range, workers, cells}); };
}

template <class... All>
Start* starter(int rule, TypeList<All...>) {
  static constexpr Start* each[] = {starter<All>()...};
  return each[rule];
}

}  // namespace

void play_plain(Call const& rule, TrialPlan const& plan, Range const& range, std::uint64_t workers,
                std::uint64_t* cells) {
  starter(rule.index, AllRules{})(rule.values, plan, range, workers, cells);
}

}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
