#define DRAFTGAUGE_IN_LINE
#include "gpu/thrust_guard.inl"

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>

#include "gpu/cell_counter.h"
#include "gpu/plain_rounds.h"
#include "gpu/plain_tasks.h"
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#include "gpu/cuda_check.h"
#endif

/// A kernel for each rule, in which nothing is called but what is seldom: what a round draws and counts then stands in
/// registers, and what plain tasks have alike is known to the compiler. On an H100 that is 5 to 10 times as fast as
/// the generic engine (bench/results/gpu.md), whose one kernel for all rules calls what they have in common.
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
  DRAFTGAUGE_HD void play(std::uint64_t worker, WorkersCounts counts) const {
    TrialPlan const plan = with_constants<Rule>(task);
    WorkersScalars sums{counts};
    for (std::size_t i = 0; i < TallyLayout::scalars; ++i) counts[i] = 0;
    CellCounter count(plan.tally, cells, {&counts[TallyLayout::scalars], counts.stride});
    // All workers go through as many turns, so that a device need not know in which one it is for each thread.
    for (std::uint64_t first = 0; first < range.end - range.begin; first += workers) {
      LanesTogether const lanes;
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
    play(worker, {counts});
    for (std::size_t i = 0; i < kept(); ++i) add_atomically(cells + i, counts[i]);
  }
};

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
constexpr int threads = 128, blocks = 6;  ///< of a multiprocessor: 80 registers for each thread, and 24 warps to wait

/// A thread is a worker, whose counts are in the memory of its block: registers are scarce, and few of them are
/// touched in a turn.
template <class Rule>
__global__ void __launch_bounds__(threads, blocks) play(PlayPlain<Rule> const __grid_constant__ play) {
  extern __shared__ std::uint64_t counts[];  // [kept][threads]
  play.play(std::uint64_t{blockIdx.x} * threads + threadIdx.x, {counts + threadIdx.x, threads});
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < play.kept(); i += threads) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < threads; ++j)
      sum += counts[i * threads + (i + j) % threads];  // each from its own bank
    add_atomically(play.cells + i, sum);
  }
}

/// So many blocks that all multiprocessors are full four times over, so that they end together.
std::uint64_t most_blocks() {
  int device = 0, multiprocessors = 0;
  check_cuda(cudaGetDevice(&device), "to find the device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
             "to describe the device");
  return std::uint64_t{4} * blocks * static_cast<std::uint64_t>(multiprocessors);
}

template <class Rule>
void start(PlayPlain<Rule> played) {
  std::uint64_t const used = std::min(most_blocks(), (played.range.size() + threads - 1) / threads);
  played.workers = used * threads;
  play<<<static_cast<unsigned>(used), threads, played.kept() * threads * sizeof(std::uint64_t)>>>(played);
  check_cuda(cudaGetLastError(), "to start a kernel");
}
#else
template <class Rule>
void start(PlayPlain<Rule> const& played) {
  thrust::for_each_n(thrust::device, thrust::counting_iterator<std::uint64_t>(0), played.workers, played);
}
#endif

using Play = void(Parameters const&, TrialPlan const&, Range const&, std::uint64_t workers, std::uint64_t* cells);

template <class Rule>
constexpr Play* player() {
  if constexpr (!laid_out<Rule>)
    return nullptr;
  else
    return [](Parameters const& values, TrialPlan const& plan, Range const& range, std::uint64_t workers,
              std::uint64_t* cells) { start(PlayPlain<Rule>{rule_with<Rule>(values), plan, range, workers, cells}); };
}

template <class... All>
Play* player(int rule, TypeList<All...>) {
  static constexpr Play* each[] = {player<All>()...};
  return each[rule];
}

}  // namespace

void play_plain(Call const& rule, TrialPlan const& plan, Range const& range, std::uint64_t workers,
                std::uint64_t* cells) {
  player(rule.index, AllRules{})(rule.values, plan, range, workers, cells);
}

}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
