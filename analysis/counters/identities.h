#pragma once
#include <string>
#include <vector>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// Something that holds of every right count, and is not so here.
struct BrokenIdentity {
  std::string identity;    ///< "Σ by_position = accepted"
  std::string found;       ///< "215 and 210"
  std::string words = {};  ///< of one that reads better so: "cumulative rates grow at position 3"; else empty
};

/// All that are broken, of all together and of each request: counts among themselves, and the numbers that the engine
/// prints beside those that its counts give, as far as rounding allows. At most ten.
std::vector<BrokenIdentity> broken_identities(EngineCounters const& counters);

/// "Σ by_position = accepted does not hold: 215 and 210", "cumulative rates grow at position 3: 6 after 5"
std::string to_string(BrokenIdentity const& broken);

/// Throws InputError with the first where there is one.
void require_identities(EngineCounters const& counters);

}  // namespace draftgauge
