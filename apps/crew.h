#pragma once
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "apps/invocation.h"
#include "sim/engine.h"

namespace draftgauge {

/// Told what was played: ranges of one simulation that have no trial in common.
using Keep = std::function<void(Played const&)>;

/// Whoever plays a simulation for a command.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Plays the trials of a range. `watch` hears from time to time how many are done, and returns false to stop there.
  /// `keep` gets all that was played, in parts: one for every quarter of a second of play, or for every hundredth of it
  /// where that is longer, so that parts are few (some hundred in a day), and whoever is killed loses no more than that.
  virtual void play(Range range, Watch const& watch, Keep const& keep) = 0;
};

/// What was played in parts, put together. Parts that are neighbours become one.
class Parts {
 public:
  void add(Played const& part);
  /// From the first trial to behind the last; the tally is of all parts. Not of none.
  Played all() const;
  /// The part that begins at that trial, of none an empty one of that layout.
  Played from(std::uint64_t begin, TallyLayout const& layout) const;
  /// The ranges between the parts.
  std::vector<Range> missing() const;
  bool empty() const { return parts_.empty(); }
  /// The parts, by their ranges; none are left.
  std::vector<Played> take();

 private:
  std::map<std::uint64_t, Played> parts_;  ///< by their first trial
};

/// Plays a simulation on a backend here. Both must outlive it.
std::unique_ptr<Crew> crew_here(Invocation const& args, Simulation const& simulation, Backend const& backend);

}  // namespace draftgauge
