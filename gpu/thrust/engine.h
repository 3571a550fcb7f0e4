#pragma once
#include "sim/fast/engine.h"

/// Every rule on each of Thrust's device systems: Backend::prepare of sim/fast/engine.h. One source for all rules,
/// gpu/thrust/engine.inl, and gpu/thrust/plain_rounds.inl for tasks as rules are meant, each compiled once per system.
namespace draftgauge {

namespace thrust_omp {
Player prepare(Simulation const& simulation, int threads);
}
namespace thrust_cuda {  // only where the build has nvcc
Player prepare(Simulation const& simulation, int threads);
}  // namespace thrust_cuda

}  // namespace draftgauge
