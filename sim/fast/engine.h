#pragma once
#include <functional>
#include <string_view>

#include "sim/base/vector_target.h"
#include "sim/play/pace.h"
#include "sim/play/simulation.h"

namespace draftgauge {

/// Plays the trials of a range and adds them to a tally of the simulation that the player was made for.
using Player = std::function<void(Range, Tally&)>;

/// A machine that plays trials. All backends give the same tally for the same simulation and range.
struct Backend {
  std::string_view name;
  std::string_view summary;
  /// Makes ready for a simulation, which must outlive the player: what has to be copied to the machine is copied here,
  /// once. threads ≥ 1 is a wish.
  std::function<Player(Simulation const&, int threads)> prepare;
};

/// One trial after another, by the code that defines their meaning.
Backend serial_backend();
/// The same trials shared among threads, in the lanes of vectors where the task is one for lanes (sim/fast); of the
/// widest instruction set there is, or of the one given. `in_lanes`, if any, is told of each range that lanes are
/// about to play: the tally does not show it.
Backend cpu_backend();
Backend cpu_backend(VectorTarget target, std::function<void(Range)> in_lanes = {});

/// What was played: the tally, and the range that it holds (shorter than asked where the watch stopped it).
struct Played {
  Tally tally;
  Range range;
};

/// A simulation on a backend, made ready once to play one range after another. The simulation must outlive it.
class Engine {
 public:
  Engine(Simulation const& simulation, Backend const& backend, int threads);

  /// Plays the trials of `range` in pieces of about a tenth of a second, so that the watch hears of it. The pieces do
  /// not show in the result. Throws UsageError as Simulation::check does, and std::logic_error where a rule asked for
  /// a token of a law without weight.
  Played play(Range range, Watch const& watch = {});

 private:
  Simulation const* simulation_;
  Player player_;
  Pace pace_;
};

/// Plays one range: Engine::play.
Played simulate(Simulation const& simulation, Range range, Backend const& backend, int threads,
                Watch const& watch = {});

}  // namespace draftgauge
