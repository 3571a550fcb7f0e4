#pragma once
#include "sim/batch/batch_engine.h"

/// Batches on each of Thrust's device systems: BatchBackend::prepare of sim/batch/batch_engine.h. One source,
/// gpu/thrust/batch_engine.inl, compiled once per system.
namespace draftgauge {

namespace thrust_omp {
BatchPlayer prepare_batches(BatchSimulation const& simulation, int threads);
}
namespace thrust_cuda {  // only where the build has nvcc
BatchPlayer prepare_batches(BatchSimulation const& simulation, int threads);
}  // namespace thrust_cuda

}  // namespace draftgauge
