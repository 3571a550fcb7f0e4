#pragma once
#include <chrono>
#include <memory>

#include "analysis/ranks/parts.h"
#include "apps/cli/invocation.h"
#include "sim/play/engine.h"

namespace draftgauge {

/// Whoever plays a simulation for a command.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Plays the trials of a range. `watch` hears from time to time how many are done, and returns false to stop there.
  /// `keep` gets all that was played, in parts: one for every quarter of a second of play, or for every hundredth of it
  /// where that is longer, so that parts are few (some hundred in a day), and whoever is killed loses no more than that.
  virtual void play(Range range, Watch const& watch, Keep const& keep) = 0;
};

/// How long a part may be, after so much play.
std::chrono::duration<double> part_interval(std::chrono::duration<double> played);

/// Plays a simulation on a backend here. Both must outlive it.
std::unique_ptr<Crew> crew_here(Invocation const& args, Simulation const& simulation, Backend const& backend);

}  // namespace draftgauge
