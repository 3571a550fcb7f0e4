#include "gpu/backends.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "gpu/open_chance.h"
#include "gpu/thrust/engine.h"
#include "sim/base/error.h"
#include "sim/base/names.h"
#include "sim/fast/threshold_tables.h"
#if DRAFTGAUGE_HAS_CUDA
#include "gpu/cuda_machine.h"
#include "gpu/cuda_probes.h"
#include "gpu/device_rates.h"
#include "gpu/without_room.h"
#endif

namespace draftgauge {
namespace {

bool device_is_there() { return device_lack_here().why.empty(); }

/// What those three names that are no backends' choose.
std::string_view resolved(std::string_view name) {
  if (name == "auto" || name == "cuda") return device_is_there() ? "cuda" : "cpu";
  if (name == "thrust") return device_is_there() ? "thrust-cuda" : "thrust-omp";
  return name;
}

}  // namespace

DeviceLack const& device_lack_here() {
#if DRAFTGAUGE_HAS_CUDA
  static DeviceLack const lack = device_lack(cuda_answers(), DRAFTGAUGE_CUDA_ARCHITECTURES);
#else
  static DeviceLack const lack{"this build has no CUDA"};
#endif
  return lack;  // known before the first call of Thrust on CUDA
}

std::vector<Backend> all_backends([[maybe_unused]] Say const& say) {
  std::vector<Backend> all = {serial_backend(),
                              cpu_backend(),
                              {"thrust-omp", "device code on threads of the host (OpenMP)", thrust_omp::prepare}};
#if DRAFTGAUGE_HAS_CUDA
  if (!device_is_there()) return all;
  Otherwise const otherwise{{"thrust-cuda", "device code on all CUDA devices, for every rule", thrust_cuda::prepare},
                            cpu_backend()};
  using OnMachines = decltype(prepare_kernels);
  auto const on_all = [=](OnMachines& prepare_on) {
    return [=](Simulation const& simulation, int threads) {
      std::vector<MakeMachine> machines;
      for (int device = 0; device < cuda_answers().devices; ++device)
        machines.push_back([device] { return cuda_machine(device); });
      return prepare_on(simulation, threads, machines, otherwise, say);
    };
  };
  Backend generic = otherwise.generic;
  generic.prepare = on_all(prepare_generic);
  all.push_back(generic);
  all.push_back({"cuda", "kernels on all CUDA devices where the rule is one for them, else thrust-cuda",
                 on_all(prepare_kernels)});
#endif
  return all;
}

Backend choose_backend(std::string_view name, Say const& say) {
  if (name == "thrust-cpp") name = "thrust-omp";  // until 0.2 the same source once more, for one thread
  std::string_view const chosen = resolved(name);
  DeviceLack const& lack = device_lack_here();
  if (say && chosen != name && !lack.why.empty() && (name != "auto" || lack.expected))
    say(lack.why + ": --backend " + std::string(name) + " runs as " + std::string(chosen));
  std::vector<Backend> const all = all_backends(say);
  auto const found = std::ranges::find(all, chosen, &Backend::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> known = {"auto", "thrust", "cuda"};
  for (Backend const& backend : all)
    if (backend.name != "cuda") known.push_back(backend.name);
  throw UsageError(unknown_name("backend", name, known));
}

std::optional<DeviceFigures> device_figures() {
#if DRAFTGAUGE_HAS_CUDA
  if (device_is_there()) {
    CudaDevice const device = cuda_device();
    double const cycles = device.multiprocessors * device.clock;
    return DeviceFigures{device.name, cycles, device_rates::l2_reads * cycles,
                         device.bandwidth / device_rates::bytes_of_far_read};
  }
#endif
  return {};
}

#if DRAFTGAUGE_HAS_CUDA
Backend on_bus(Say const& say) {
  Backend backend = choose_backend("cuda");
  Backend const generic = choose_backend("thrust-cuda");
  backend.prepare = [=](Simulation const& simulation, int threads) {
    auto const machine = [] { return std::make_shared<WithoutRoom>(cuda_machine(0)); };
    return prepare_kernels(simulation, threads, {machine}, {generic, cpu_backend()}, say);
  };
  return backend;
}
double device_busy() { return cuda_busy(); }
std::vector<DeviceProbe> device_probes() { return cuda_probes(); }
#else
Backend on_bus(Say const&) { throw std::logic_error("there is no device"); }
double device_busy() { return 0; }
std::vector<DeviceProbe> device_probes() { return {}; }
#endif

double share_left_open(Simulation const& simulation) {
  auto const thresholds = threshold_tables(simulation);
  return thresholds ? chance_left_open(*thresholds, simulation.plan().shape, tokens_matter(simulation)) : 0;
}

std::vector<BackendName> backend_names() {
  std::vector<BackendName> names;
  for (std::string const name : {"auto", "thrust", "cuda"}) {
    std::string const why = device_is_there() ? "" : " (" + device_lack_here().why + ")";
    if (resolved(name) != name) names.push_back({name, "here " + std::string(resolved(name)) + why});
  }
  for (Backend const& backend : all_backends())
    names.push_back({std::string(backend.name), std::string(backend.summary)});
  return names;
}

}  // namespace draftgauge
