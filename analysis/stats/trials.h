#pragma once
#include <cstdint>

#include "sim/play/simulation.h"

namespace draftgauge {

/// The most rounds that a trial can have: those that the task asks for, fewer where the laws' sequences end before.
std::uint64_t longest_trial(Simulation const& simulation);

/// The trials from 0 on that have so many rounds together, or a few more.
Range trials_of_rounds(Simulation const& simulation, std::uint64_t rounds);

}  // namespace draftgauge
