#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace draftgauge::bench {

/// Seconds that a piece of work took by a clock.
using Stopwatch = double (*)(std::function<void()> const& work);

/// CPU time of this process, all its threads together: for contenders of one thread, since another program on the
/// same core then costs cache but no time.
double cpu_seconds(std::function<void()> const& work);
/// For contenders of several threads, whose waiting counts.
double wall_seconds(std::function<void()> const& work);

/// One that takes part in a race.
struct Contender {
  std::string name;
  /// Does so many units of its work and returns the seconds that they took.
  std::function<double(std::uint64_t amount)> seconds;
  std::uint64_t least = 1024;  ///< the amount that is tried first, ≥ 1
  double rate = 0;             ///< the best seen, in units of work per second
};

/// A contender of this process, timed by `watch`.
Contender contender(std::string name, Stopwatch watch, std::function<void(std::uint64_t amount)> work,
                    std::uint64_t least = 1024);

struct RaceLength {
  double slice;  ///< seconds of work that each contender is given in a turn
  int turns;
};

/// The best of several slices each, taken in turns, since other programs slow a machine down for seconds at a time:
/// what slows all of a turn leaves the ratios alone, and what slows one slice is not the best. Sets every rate.
void race(std::span<Contender> contenders, RaceLength const& length);

}  // namespace draftgauge::bench
