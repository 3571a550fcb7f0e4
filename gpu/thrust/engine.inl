#include "gpu/thrust/guard.inl"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "gpu/thrust/cell_counter.h"
#include "gpu/thrust/device_tables.inl"
#include "gpu/thrust/engine.h"
#include "gpu/thrust/plain_rounds.h"
#include "gpu/thrust/plain_tasks.h"
#include "sim/play/trial.h"
#include "sim/task/with_rule.h"

namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {
namespace {

constexpr bool on_device = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA;

/// Which tasks a kernel plays. A kernel has the stack and the registers of all that it may call: drafts that are
/// kept whole take five times the stack of rounds that are walked, and so have a kernel of their own. Those of plain
/// tasks are elsewhere (gpu/thrust/plain_rounds.inl).
enum class Tasks { plain, walked, kept };

/// Plays every `workers`-th trial of the range, from number `worker` on, with one rule. Only histograms are counted in
/// `cells`, [tally size], in the device's memory.
template <Tasks tasks, class Rule>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD Scalars play_stride(Rule const& rule, TrialPlan const& plan, Range const& range,
                                                    std::uint64_t worker, std::uint64_t workers,
                                                    std::uint64_t* cells) {
  Scalars sums;
  std::uint64_t lengths[CellCounter::most_summed];
  CellCounter count(plan.tally, cells, {lengths});
  for (std::uint64_t i = worker; i < range.end - range.begin; i += workers) {
    LanesTogether const lanes;
    if constexpr (tasks == Tasks::kept)
      play_kept_trial(rule, plan, range.begin + i, sums, count);
    else
      play_walked_trial(rule, plan, range.begin + i, sums, count);
    lanes.meet();
  }
  count.add_lengths();
  return sums;
}

/// What one worker does. The rule is chosen here, by every worker alike, so that one kernel serves all of them: the
/// device's compiler takes a second or so for each rule in each kernel and for each architecture. That is also why
/// the workers' sums are added up in a step of their own (a fused reduction is six kernels), and why this is called
/// and not copied into the unrolled loop around it. The plan lies in the device's memory: what is called takes it by
/// reference, and a kernel's parameter that is referred to is copied to the stack of every thread.
template <Tasks tasks>
struct PlayStride {
  TrialPlan const* plan;
  Call rule;
  Range range;
  std::uint64_t workers;
  std::uint64_t* cells;
  Scalars* sums;  ///< [workers]

  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void operator()(std::uint64_t worker) const {
    with_rule(rule, [&]<class Rule>(Rule const& chosen) {
      constexpr bool played_here = !on_device || !HostOnly<Rule>;
      if constexpr (played_here && (tasks == Tasks::kept || Rule::shape == Shape::node))
        sums[worker] = play_stride<tasks>(chosen, *plan, range, worker, workers, cells);
    });
  }
};

template <class... All>
Tasks tasks_like(Call const& rule, TrialPlan const& plan, TypeList<All...>) {
  Tasks const each[] = {is_plain<All>(plan)       ? Tasks::plain
                        : keeps_drafts<All>(plan) ? Tasks::kept
                                                  : Tasks::walked...};
  return each[rule.index];
}

/// How many workers share a range. On the host one per thread. On a device so many that it is full and stays so while
/// some have more to do than others: Thrust deals 512 to a block of 256 threads (CUB, tuning_for.cuh), and a device
/// of 132 multiprocessors holds a thousand such blocks at a time.
std::uint64_t workers_for(int threads) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  static_cast<void>(threads);
  return std::uint64_t{1} << 20;
#else
  return static_cast<std::uint64_t>(threads);
#endif
}

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
/// The cells that workers count in: an array on the device, added to the tally after each range.
class Cells {
 public:
  explicit Cells(TallyLayout const& layout) : device_(layout.size()), host_(layout.size()) {}

  std::uint64_t* prepare(Tally&) {
    thrust::fill(device_.begin(), device_.end(), std::uint64_t{0});
    return thrust::raw_pointer_cast(device_.data());
  }
  void add_to(Tally& tally) {
    thrust::copy(device_.begin(), device_.end(), host_.begin());
    std::ranges::transform(tally.counts(), host_, tally.counts().begin(), std::plus<>{});
  }

 private:
  Vector<std::uint64_t> device_;
  std::vector<std::uint64_t> host_;
};
#else
/// The cells that workers count in: on the host the tally's own.
class Cells {
 public:
  explicit Cells(TallyLayout const&) {}

  std::uint64_t* prepare(Tally& tally) { return tally.counts().data(); }
  void add_to(Tally&) {}
};
#endif

class ThrustPlayer {
 public:
  ThrustPlayer(Simulation const& simulation, int threads)
      : tables_(simulation),
        rule_(simulation.rule_called()),
        tasks_(tasks_like(rule_, simulation.plan(), AllRules{})),
        workers_(workers_for(threads)),
        cells_(simulation.plan().tally),
        plan_(simulation.plan()) {
    plan_.tables = tables_.view(plan_.tables);
    plan_.shape.tree = tables_.view(plan_.shape.tree);
    if (tasks_ != Tasks::plain) plan_there_.assign(&plan_, &plan_ + 1);
  }

  void play(Range range, Tally& tally) {
    if (range.size() == 0) return;
    OversubscribedTeam const team;
    std::uint64_t const workers = std::min(workers_, range.size());
    if (tasks_ == Tasks::plain) {
      play_plain(rule_, plan_, range, workers, cells_.prepare(tally));
      cells_.add_to(tally);
    } else {
      play_any(range, have_sums(workers), tally);
    }
  }

 private:
  void play_any(Range const& range, std::uint64_t workers, Tally& tally) {
    if (tasks_ == Tasks::kept)
      start<Tasks::kept>(range, workers, tally);
    else
      start<Tasks::walked>(range, workers, tally);
    Allocator<char> passing;
    Scalars const sums =
        thrust::reduce(thrust::device(passing), sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(workers),
                       Scalars{}, thrust::plus<Scalars>());
    cells_.add_to(tally);
    for (std::size_t i = 0; i < TallyLayout::scalars; ++i) tally.counts()[i] += sums.value[i];
  }

  /// So many workers as there is room for, for their sums: a range is played by any number of them.
  std::uint64_t have_sums(std::uint64_t workers) {
    while (sums_.size() < workers) {
      try {
        sums_ = Vector<Scalars>(workers);
      } catch (std::bad_alloc const&) {
        if (workers == 1) throw;
        workers /= 2;
      }
    }
    return workers;
  }

  template <Tasks tasks>
  void start(Range const& range, std::uint64_t workers, Tally& tally) {
    thrust::counting_iterator<std::uint64_t> const first(0);
    thrust::for_each_n(thrust::device, first, workers,
                       PlayStride<tasks>{thrust::raw_pointer_cast(plan_there_.data()), rule_, range, workers,
                                         cells_.prepare(tally), thrust::raw_pointer_cast(sums_.data())});
  }

  DeviceTables tables_;
  Call rule_;
  Tasks tasks_;
  std::uint64_t workers_;
  Cells cells_;
  TrialPlan plan_;                ///< what it points to is where the workers are
  Vector<TrialPlan> plan_there_;  ///< the same one, there
  Vector<Scalars> sums_;          ///< [workers] of the longest range so far
};

}  // namespace

Player prepare(Simulation const& simulation, int threads) {
  auto const machine = std::make_shared<ThrustPlayer>(simulation, threads);
  return [machine](Range range, Tally& tally) { machine->play(range, tally); };
}

}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
