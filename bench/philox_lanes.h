#pragma once
#include <cstdint>

#include "sim/base/vector_target.h"
#include "sim/chance/philox.h"

namespace draftgauge::bench {

/// The exclusive or of the words of the Philox blocks with counters {0, 0, 0, 0}, {1, 0, 0, 0}, …: of at least
/// `words` words and at most 2^32 blocks. For measuring and testing what lanes make their words with; `scalar` makes
/// them one block after another. The number of blocks is rounded up to a multiple of 64 on every target.
std::uint32_t mixed_words(Philox::Key key, std::uint64_t words, VectorTarget target);

}  // namespace draftgauge::bench
