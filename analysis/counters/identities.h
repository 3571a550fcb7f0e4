#pragma once
#include <string>
#include <vector>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// All that are broken, of all together, of each request, and of each line that was checked by itself: counts among
/// themselves, and the numbers that the engine prints beside those that its counts give, as far as rounding allows. At
/// most ten.
std::vector<BrokenIdentity> broken_identities(EngineCounters const& counters);

/// Adds to `counters.broken` what the line or record at that place ("FILE, line 3") contradicts in itself; its rates by
/// position are as exact as `counters.rounding` says.
void check_record(EngineCounters& counters, std::string const& place, CounterSums const& sums,
                  std::vector<EngineNumber> const& says);

/// "Σ by_position = accepted does not hold: 215 and 210", "cumulative rates grow at position 3: 6 after 5"
std::string to_string(BrokenIdentity const& broken);

/// Throws InputError with the first where there is one.
void require_identities(EngineCounters const& counters);

}  // namespace draftgauge
