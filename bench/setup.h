#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/race.h"
#include "sim/base/vector_target.h"
#include "sim/fast/engine.h"

namespace draftgauge::bench {

/// What a device is asked to do over and over, to know how fast it does that alone.
struct Probe {
  std::string name;
  double assumed;                ///< operations a second that bounds take it to do
  std::function<double()> rate;  ///< that it does
};

/// A device that rounds are measured on.
struct Device {
  std::string name;
  double cycles;     ///< of its multiprocessors a second, all together
  double l2_reads;   ///< of a sector at random, a second
  double far_reads;  ///< the same, from the memory beyond L2
  Backend kernels, bus, generic;
  std::function<double(Simulation const&)> open;  ///< share of rounds that tables leave open
  std::function<double()> busy;  ///< seconds that launches of kernels have taken so far by the device's own clock
  std::vector<Probe> probes = {};
};

/// What a run of the measurements is given.
struct Setup {
  std::uint64_t seed;
  int threads;  ///< of the rows of several threads; with 1 there are none
  RaceLength length;
  Backend generic;                    ///< shown beside the cpu backend on several threads: device code on the host
  std::vector<std::string> pythons;   ///< where NumPy is looked for; empty: it is left out
  std::optional<Device> device = {};  ///< without one there are no rows of it
};

/// The cpu backend on an instruction set.
Backend engine_on(VectorTarget target);

/// Rounds after which it plays a simulation as it will from then on, its tables made: not to be timed.
std::uint64_t rounds_to_be_ready(Simulation const& simulation);

/// The sets that get rows: the one that the engine takes here, and AVX2 where that one is wider.
std::vector<VectorTarget> measured_targets();

/// The goal on an instruction set, goals being those of AVX-512: half of it on AVX2, though for V ≤ 64 what makes
/// AVX-512 fast there, permutations of 16-bit numbers, has no counterpart on AVX2; none for scalar code.
std::optional<double> goal_on(VectorTarget target, std::optional<double> goal);

}  // namespace draftgauge::bench
