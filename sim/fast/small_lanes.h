#pragma once
#include "sim/fast/chain_lanes.h"

namespace draftgauge {

/// Whether this target holds the tables of a chain program in registers, so that nothing is read of memory: one context of
/// at most 64 tokens on AVX-512.
bool tables_in_registers(std::uint32_t rows, int bits, VectorTarget target);

/// The kernel for one context of at most 64 tokens, whose tables fit into registers; null where the run is another one or
/// counts tokens at many positions, or the target is not AVX-512.
PlayChains small_lanes(ChainRun const& run, VectorTarget target);

}  // namespace draftgauge
