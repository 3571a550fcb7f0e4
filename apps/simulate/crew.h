#pragma once
#include <memory>
#include <optional>

#include "analysis/ranks/checkpoints.h"
#include "apps/cli/invocation.h"
#include "sim/base/error.h"
#include "sim/fast/engine.h"

namespace draftgauge {

/// Whoever plays a simulation for a command.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Plays the trials of a range. `watch` hears from time to time how many are done, and returns false to stop there.
  /// `keep` gets all that was played, at checkpoints (see checkpoint_interval: some hundred in a day), so that
  /// whoever is killed loses no more than what came since. Then it is one part where this process plays alone; of
  /// ranks, one or a few, and what lies between pieces that are still out waits for the next checkpoint. Returns what
  /// failed, where that ended it (another rank's trouble): `keep` has got what was played before, too.
  virtual std::optional<InputError> play(Range range, Watch const& watch, KeepParts const& keep) = 0;
};

/// Plays a simulation on a backend here. Both must outlive it.
std::unique_ptr<Crew> crew_here(Invocation const& args, Simulation const& simulation, Backend const& backend);

}  // namespace draftgauge
