#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/vector_target.h"
#include "sim/fast/threshold_tables.h"
#include "sim/play/shared_counts.h"
#include "sim/play/trial.h"

namespace draftgauge {

/// Threshold tables and the simulation that they are of. Domain: rounds_per_trial · (γ+1) below 2^32 (Simulation lets
/// no longer trial pass), rows · vocab and the tables' cells below 2^31.
struct LaneRun {
  ThresholdTables const* thresholds;
  Simulation const* simulation;
  std::uint32_t positions;  ///< of trials of one round: tokens are counted at the first so many, 0…γ+1

  std::uint32_t rows() const { return simulation->plan().tables.contexts.rows; }
  std::uint32_t vocab() const { return simulation->plan().tables.contexts.vocab; }
};

/// What lanes count; each part adds.
struct LaneCounts {
  LaneCounts(LaneRun const& run, std::span<std::uint64_t> shared)
      : tokens(std::size_t{run.positions} * run.vocab(), 0), cells(shared) {}

  std::uint64_t reached[max_gamma + 1] =
      {};                             ///< [γ+1] rounds that accept at least so many drafts; [0] is not counted
  std::vector<std::uint32_t> tokens;  ///< [positions][vocab] of trials of one round
  SharedCounts cells;                 ///< of tokens of trials of several rounds
  Scalars sums;  ///< of those, less the passes, which all rounds have alike; impossible rounds of any trials
};

/// Plays the trials from `first` on, which must not cross a multiple of 2^32; `count` below 2^31, so that no cell
/// overflows.
using PlayLanes = void (*)(LaneRun const& run, std::uint64_t first, std::uint32_t count, LaneCounts& counts);

// The kernels for a run, or null where it is not of their kind or the target has none (as `scalar` has).
PlayLanes small_lanes(LaneRun const& run, VectorTarget target);  ///< tables_in_registers, counted at few positions
PlayLanes chain_lanes(LaneRun const& run, VectorTarget target);  ///< trials of one round, of independent contexts
PlayLanes multi_round_lanes(LaneRun const& run,
                            VectorTarget target);  ///< trials of several rounds, or contexts that follow

/// Whether this target holds threshold tables in registers, so that nothing is read of memory: one context of
/// at most 64 tokens on AVX-512.
bool tables_in_registers(std::uint32_t rows, int bits, VectorTarget target);

}  // namespace draftgauge
