#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "sim/fast/lane_run.h"

namespace draftgauge {

/// A simulation made ready for lanes, of a rule that has threshold tables. Shared by threads, each of which plays
/// with a worker of its own.
class ChainPlayer {
 public:
  /// None where the simulation is not of that kind, asks for more counts than lanes keep, or the target has no lanes.
  /// Its tables are made by so many threads. The simulation must outlive it.
  static std::shared_ptr<ChainPlayer const> make(Simulation const& simulation, VectorTarget target, int threads = 1);

  /// Whether a simulation may be one for lanes, and of how many cells its tables would be; 0 where it is not. It is not
  /// worth while to make tables of many cells for few trials.
  static std::uint64_t cells(Simulation const& simulation);

  /// Plays ranges and adds what they came to to a tally's counts, which other workers add to at the same time: after
  /// each range where rounds lead to each other, else when counters may overflow and when it is destroyed.
  class Worker {
   public:
    Worker(ChainPlayer const& player, std::span<std::uint64_t> shared);
    ~Worker();
    Worker(Worker const&) = delete;
    Worker& operator=(Worker const&) = delete;

    void play(Range range);

   private:
    void hand_on();

    ChainPlayer const& player_;
    LaneCounts counts_;
    std::uint64_t trials_ = 0;  ///< in counts_
  };

 private:
  ChainPlayer(Simulation const& simulation, ThresholdTables thresholds);

  Simulation const& simulation_;
  ThresholdTables thresholds_;
  LaneRun run_;
  bool multi_round_;
  PlayLanes play_ = nullptr;
};

}  // namespace draftgauge
