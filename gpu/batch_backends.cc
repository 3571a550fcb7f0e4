#include "gpu/batch_backends.h"

#include <algorithm>

#include "gpu/thrust/batch_engine.h"

namespace draftgauge {
namespace {

#if DRAFTGAUGE_HAS_CUDA
/// A rule that needs memory of no fixed size is played by the host.
BatchPlayer on_device(BatchSimulation const& simulation, int threads) {
  return host_only(simulation.each().rule_called()) ? threaded_batches().prepare(simulation, threads)
                                                    : thrust_cuda::prepare_batches(simulation, threads);
}
#endif

}  // namespace

std::vector<BatchBackend> all_batch_backends() {
  std::vector<BatchBackend> all = {serial_batches(), threaded_batches(), {"thrust-omp", thrust_omp::prepare_batches}};
#if DRAFTGAUGE_HAS_CUDA
  if (device_lack_here().why.empty()) all.push_back({"thrust-cuda", on_device});
#endif
  return all;
}

BatchBackend choose_batch_backend(std::string_view name, Say const& say) {
  std::string_view const trials = choose_backend(name, say).name;
  std::vector<BatchBackend> const all = all_batch_backends();
  return *std::ranges::find(all, trials == "cuda" ? "thrust-cuda" : trials, &BatchBackend::name);
}

}  // namespace draftgauge
