#pragma once
#include <cstdint>
#include <functional>

#include "sim/base/vector_target.h"

namespace draftgauge::bench {

/// Makes that many random words of Philox4x32-10 and keeps a digest of them, so that none can be left out.
using PhiloxWords = std::function<void(std::uint64_t words)>;

/// The baseline: one block after another by the code that defines them.
PhiloxWords plain_philox();

/// What the engine makes its words with on an instruction set: the bound of whatever reads them.
PhiloxWords engine_philox(VectorTarget target);

}  // namespace draftgauge::bench
