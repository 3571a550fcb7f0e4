#pragma once
#include <cstdint>
#include <span>

#include "sim/fast/chain_program.h"
#include "sim/shared_counts.h"
#include "sim/trial.h"
#include "sim/vector_target.h"

namespace draftgauge {

/// A chain program played in trials of several rounds. Domain: rounds_per_trial · (γ+1) below 2^32 (Simulation lets no
/// longer trial pass), rows · vocab and the program's cells below 2^31.
struct WalkRun {
  ChainProgram const* program;
  Simulation const* simulation;
};

/// What lanes count of walks. Each part adds.
struct WalkCounts {
  explicit WalkCounts(std::span<std::uint64_t> shared) : cells(shared) {}

  Scalars sums;                                ///< of trials, less the passes, which all rounds have alike
  std::uint64_t accepted[max_gamma + 1] = {};  ///< [γ+1] rounds by accepted drafts
  SharedCounts cells;                          ///< of tokens
};

/// Plays the trials from `first` on, which must not cross a multiple of 2^32; `count` below 2^31.
using PlayWalks = void (*)(WalkRun const& run, std::uint64_t first, std::uint32_t count, WalkCounts& counts);

/// The kernel for a run, or null where the target has none.
PlayWalks walk_lanes(WalkRun const& run, VectorTarget target);

}  // namespace draftgauge
