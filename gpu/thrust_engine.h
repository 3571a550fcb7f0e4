#pragma once
#include "sim/play/engine.h"

/// The generic engine on each of Thrust's device systems, for every rule: Backend::prepare of sim/play/engine.h. One
/// source, gpu/thrust_engine.inl, compiled once per system.
namespace draftgauge {

namespace thrust_cpp {
Player prepare(Simulation const& simulation, int threads);
}
namespace thrust_omp {
Player prepare(Simulation const& simulation, int threads);
}
namespace thrust_cuda {  // only where the build has nvcc
Player prepare(Simulation const& simulation, int threads);
}  // namespace thrust_cuda

}  // namespace draftgauge
