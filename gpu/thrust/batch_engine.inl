#include "gpu/thrust/guard.inl"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "gpu/thrust/batch_engine.h"
#include "gpu/thrust/cell_counter.h"
#include "gpu/thrust/device_tables.inl"
#include "sim/batch/batch_trial.h"
#include "sim/task/with_rule.h"

namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {
namespace {

/// Where a worker counts what its batches add: in the cells that all share.
struct SharedCells {
  std::uint64_t* cells;

  DRAFTGAUGE_HD void operator()(std::size_t cell) const { add_atomically(cells + cell, 1); }
};

/// Plays every `workers`-th batch of the range, in a room of the worker's own.
struct PlayBatches {
  BatchPlan const* plan;
  Call rule;
  Range range;
  std::uint64_t workers;
  BatchRoom* rooms;  ///< [workers]
  std::uint64_t* cells;

  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void operator()(std::uint64_t worker) const {
    with_rule(
        rule,
        [&]<class Rule>(Rule const& chosen) {
          constexpr bool on_host = THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA;
          if constexpr (on_host || !HostOnly<Rule>) play_stride(chosen, worker);
        },
        Rules{});
  }

 private:
  template <class Rule>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void play_stride(Rule const& chosen, std::uint64_t worker) const {
    Scalars sums;
    SharedCells count{cells};
    for (std::uint64_t i = worker; i < range.end - range.begin; i += workers)
      play_batch(chosen, *plan, range.begin + i, rooms[worker], sums, count);
    for (std::size_t field = 0; field < TallyLayout::scalars; ++field)
      if (sums.value[field] != 0) add_atomically(cells + field, sums.value[field]);
  }
};

/// How many workers share a range: on the host one per thread, on a device so many that it is full, whose rooms are
/// two gigabytes.
std::uint64_t batch_workers(int threads) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  static_cast<void>(threads);
  return std::uint64_t{1} << 14;
#else
  return static_cast<std::uint64_t>(threads);
#endif
}

class ThrustBatches {
 public:
  ThrustBatches(BatchSimulation const& simulation, int threads)
      : tables_(simulation.each()),
        rule_(simulation.each().rule_called()),
        estimates_(simulation.estimates().begin(), simulation.estimates().end()),
        times_(simulation.times().begin(), simulation.times().end()),
        cells_(simulation.plan().tally.size()),
        counts_(simulation.plan().tally.size()) {
    BatchPlan plan = simulation.plan();
    plan.each.tables = tables_.view(plan.each.tables);
    double const* const estimates = thrust::raw_pointer_cast(estimates_.data());
    (plan.estimates.by_row ? plan.estimates.by_row : plan.estimates.by_place) = estimates;
    plan.time = thrust::raw_pointer_cast(times_.data());
    plan_.assign(&plan, &plan + 1);
    have_rooms(batch_workers(threads));
  }

  void play(Range range, BatchTally& tally) {
    if (range.size() == 0) return;
    OversubscribedTeam const team;
    std::uint64_t const workers = std::min<std::uint64_t>(rooms_.size(), range.size());
    thrust::fill(cells_.begin(), cells_.end(), std::uint64_t{0});
    thrust::counting_iterator<std::uint64_t> const first(0);
    thrust::for_each_n(thrust::device, first, workers,
                       PlayBatches{thrust::raw_pointer_cast(plan_.data()), rule_, range, workers,
                                   thrust::raw_pointer_cast(rooms_.data()), thrust::raw_pointer_cast(cells_.data())});
    thrust::copy(cells_.begin(), cells_.end(), counts_.begin());
    std::ranges::transform(tally.counts(), counts_, tally.counts().begin(), std::plus<>{});
  }

 private:
  /// Rooms for so many workers, or for as many as there is memory for.
  void have_rooms(std::uint64_t workers) {
    while (rooms_.size() < workers) {
      try {
        rooms_ = Vector<BatchRoom>(workers);
      } catch (std::bad_alloc const&) {
        if (workers == 1) throw;
        workers /= 2;
      }
    }
  }

  DeviceTables tables_;
  Call rule_;
  Vector<double> estimates_, times_;
  Vector<BatchPlan> plan_;  ///< what it points to is where the workers are
  Vector<BatchRoom> rooms_;
  Vector<std::uint64_t> cells_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace

BatchPlayer prepare_batches(BatchSimulation const& simulation, int threads) {
  auto const machine = std::make_shared<ThrustBatches>(simulation, threads);
  return [machine](Range range, BatchTally& tally) { machine->play(range, tally); };
}

}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
