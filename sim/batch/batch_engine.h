#pragma once
#include <functional>
#include <string_view>

#include "sim/batch/batch_simulation.h"
#include "sim/play/pace.h"

namespace draftgauge {

/// Plays the batches of a range and adds them to a tally of the simulation that the player was made for.
using BatchPlayer = std::function<void(Range, BatchTally&)>;

/// A machine that plays batches. All give the same tally for the same simulation and range.
struct BatchBackend {
  std::string_view name;
  std::function<BatchPlayer(BatchSimulation const&, int threads)> prepare;  ///< which must outlive the player
};

/// One batch after another, by the code that defines their meaning.
BatchBackend serial_batches();
/// The same batches shared among threads.
BatchBackend threaded_batches();

/// What was played: the tally, and the range that it holds (shorter than asked where the watch stopped it).
struct PlayedBatches {
  BatchTally tally;
  Range range;
};

/// Plays a range in pieces of about a tenth of a second, so that the watch hears of it. Throws as
/// BatchSimulation::check, and std::logic_error where a rule asked for a token of a law without weight.
PlayedBatches simulate_batches(BatchSimulation const& simulation, Range range, BatchBackend const& backend,
                               int threads, Watch const& watch = {});

}  // namespace draftgauge
