#pragma once
#include "sim/fast/chain_player.h"

namespace draftgauge::testing {

/// What lanes count of a range, whatever its length.
inline Tally in_lanes(ChainPlayer const& player, Simulation const& simulation, Range range) {
  Tally tally(simulation.plan().tally);
  {
    ChainPlayer::Worker worker(player, tally.counts());
    worker.play(range);
  }
  return tally;
}

}  // namespace draftgauge::testing
