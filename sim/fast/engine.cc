#include "sim/fast/engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "sim/fast/chain_player.h"
#include "sim/play/shared_counts.h"
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

/// Shares a range among threads, each of which plays pieces of it with a worker that `make_worker` makes for it.
template <class MakeWorker>
void share(Range range, int threads, MakeWorker const& make_worker) {
  std::uint64_t const pieces = std::min<std::uint64_t>(range.size(), static_cast<std::uint64_t>(threads) * 16);
  std::atomic<std::uint64_t> next{0};
  auto const begin_of = [&](std::uint64_t piece) {  // no product that could overflow
    return range.begin + range.size() / pieces * piece + std::min(piece, range.size() % pieces);
  };
  std::exception_ptr failure;
  std::once_flag failed;
  {
    std::vector<std::jthread> workers;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(static_cast<std::uint64_t>(threads), pieces); ++i)
      workers.emplace_back([&] {
        try {
          auto worker = make_worker();
          for (std::uint64_t piece; (piece = next++) < pieces;) worker.play({begin_of(piece), begin_of(piece + 1)});
        } catch (...) {  // memory for a worker's counts may not be there
          std::call_once(failed, [&] { failure = std::current_exception(); });
        }
      });
  }
  if (failure) std::rethrow_exception(failure);
}

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
  using Clock = std::chrono::steady_clock;
  simulation_->check(range);
  Played played{Tally(simulation_->plan().tally), {range.begin, range.begin}};
  while (played.range.end < range.end) {
    std::uint64_t const asked = pace_.trials(), size = std::min(asked, range.end - played.range.end);
    Range const piece{played.range.end, played.range.end + size};
    auto const start = Clock::now();
    player_(piece, played.tally);
    std::chrono::duration<double> const took = Clock::now() - start;
    played.range.end = piece.end;
    if (size == asked) pace_.took(took.count());
    if (watch && !watch(played.range.size())) break;
  }
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
