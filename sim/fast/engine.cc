#include "sim/fast/engine.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sim/fast/chain_player.h"
#include "sim/play/shared_counts.h"
#include "sim/play/shared_range.h"
#include "sim/play/trial.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

/// Plays trials one after another, alone or beside other workers.
class TrialWorker {
 public:
  TrialWorker(Simulation const& simulation, Tally& tally) : simulation_(simulation), counts_(tally.counts()) {}

  void play(Range range) {
    Scalars sums;
    with_rule(simulation_.rule_called(), [&](auto const& rule) {
      for (std::uint64_t trial = range.begin; trial < range.end; ++trial)
        play_trial(rule, simulation_.plan(), trial, sums, counts_);
    });
    for (std::size_t field = 0; field < TallyLayout::scalars; ++field) counts_.add(field, sums.value[field]);
  }

 private:
  Simulation const& simulation_;
  SharedCounts counts_;
};

/// Threads that play in lanes what lanes can play, once there are trials enough for tables to be worth while.
class Threads {
 public:
  Threads(Simulation const& simulation, int threads, VectorTarget target, std::function<void(Range)> in_lanes)
      : simulation_(&simulation),
        threads_(threads),
        target_(target),
        in_lanes_(std::move(in_lanes)),
        cells_(ChainPlayer::cells(simulation)) {}

  void play(Range range, Tally& tally) {
    played_ += range.size() * simulation_->plan().rounds_per_trial;
    if (cells_ > 0 && !lanes_ && played_ >= cells_ / cells_a_round) {
      lanes_ = ChainPlayer::make(*simulation_, target_, threads_);
      if (!lanes_) cells_ = 0;
    }
    if (lanes_ && in_lanes_) in_lanes_(range);
    if (lanes_)
      share(range, threads_, [&] { return ChainPlayer::Worker(*lanes_, tally.counts()); });
    else
      share(range, threads_, [&] { return TrialWorker(*simulation_, tally); });
  }

 private:
  static constexpr std::uint64_t cells_a_round = 4;  // that take as long to make as a round takes the reference

  Simulation const* simulation_;
  int threads_;
  VectorTarget target_;
  std::function<void(Range)> in_lanes_;
  std::uint64_t cells_;
  std::uint64_t played_ = 0;  ///< rounds asked for so far
  std::shared_ptr<ChainPlayer const> lanes_;
};

}  // namespace

Backend serial_backend() {
  return {"serial", "one trial after another: the reference", [](Simulation const& simulation, int) -> Player {
            return [&](Range range, Tally& tally) { TrialWorker(simulation, tally).play(range); };
          }};
}

Backend cpu_backend() { return cpu_backend(vector_target()); }

Backend cpu_backend(VectorTarget target, std::function<void(Range)> in_lanes) {
  return {"cpu", "threads, in vectors where the rule is one for them",
          [target, in_lanes = std::move(in_lanes)](Simulation const& simulation, int threads) -> Player {
            auto const all = std::make_shared<Threads>(simulation, threads, target, in_lanes);
            return [all](Range range, Tally& tally) { all->play(range, tally); };
          }};
}

Engine::Engine(Simulation const& simulation, Backend const& backend, int threads)
    : simulation_(&simulation), player_(backend.prepare(simulation, std::max(threads, 1))) {}

Played Engine::play(Range range, Watch const& watch) {
  simulation_->check(range);
  Played played{Tally(simulation_->plan().tally), {range.begin, range.begin}};
  played.range.end = pace_.play(range, [&](Range piece) { player_(piece, played.tally); }, watch);
  if (played.tally[TallyLayout::impossible] > 0)
    throw std::logic_error("rule " + simulation_->task().rule +
                           " picked from a distribution without weight (it is not sound)");
  return played;
}

Played simulate(Simulation const& simulation, Range range, Backend const& backend, int threads, Watch const& watch) {
  simulation.check(range);  // before a machine is made ready
  return Engine(simulation, backend, threads).play(range, watch);
}

}  // namespace draftgauge
