#pragma once
#include <cstdint>
#include <vector>

#include "sim/fast/chain_program.h"
#include "sim/trial.h"
#include "sim/vector_target.h"

namespace draftgauge {

/// A chain program and what is counted of its rounds, one a trial.
struct ChainRun {
  ChainProgram const* program;
  std::uint32_t rows, vocab;
  RoundShape shape;
  int positions;  ///< tokens are counted at the first so many positions of a round, 0…γ+1
  Philox::Key key;
};

/// What lanes count; both parts add.
struct ChainCounts {
  /// A round whose fields do not decide it at position `from`: what it does up to there is counted, the rest is not.
  struct Undecided {
    std::uint64_t trial;
    int from;
  };

  explicit ChainCounts(ChainRun const& run) : tokens(static_cast<std::size_t>(run.positions) * run.vocab, 0) {}

  std::uint64_t reached[max_gamma + 1] =
      {};                             ///< [γ+1] rounds that accept at least so many drafts; [0] is not counted
  std::vector<std::uint32_t> tokens;  ///< [positions][vocab]
  std::vector<Undecided> undecided;
};

/// Plays the trials from `first` on, which must not cross a multiple of 2^32; `count` below 2^31, so that no cell
/// overflows.
using PlayChains = void (*)(ChainRun const& run, std::uint64_t first, std::uint32_t count, ChainCounts& counts);

/// The kernel for a run, or null where the target has none (as `scalar` has).
PlayChains chain_lanes(ChainRun const& run, VectorTarget target);

}  // namespace draftgauge
