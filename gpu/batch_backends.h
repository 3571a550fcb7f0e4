#pragma once
#include "gpu/backends.h"
#include "sim/batch/batch_engine.h"

namespace draftgauge {

/// Every backend that can play batches here: serial, cpu, thrust-omp and, where there is a device, thrust-cuda.
std::vector<BatchBackend> all_batch_backends();
/// The one that plays batches where choose_backend(name) plays trials: of a device's kernels, which play none, its
/// generic code. Throws UsageError for an unknown name.
BatchBackend choose_batch_backend(std::string_view name, Say const& say = {});

}  // namespace draftgauge
