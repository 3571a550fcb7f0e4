#include "gpu/backends.h"

#include <algorithm>

#include "gpu/thrust_engine.h"
#include "sim/error.h"
#include "sim/names.h"

namespace draftgauge {
namespace {

#if DRAFTGAUGE_HAS_CUDA
bool device_is_there() {
  static bool const there = thrust_cuda::device_count() > 0;  // asked before the first call of Thrust on CUDA
  return there;
}
constexpr std::string_view why_no_device = "no CUDA device was found";
#else
bool device_is_there() { return false; }
constexpr std::string_view why_no_device = "this build has no CUDA";
#endif

}  // namespace

std::vector<Backend> all_backends() {
  std::vector<Backend> all = {serial_backend(), cpu_backend(),
                              {"thrust-cpp", "device code on one thread of the host", thrust_cpp::prepare},
                              {"thrust-omp", "device code on threads of the host (OpenMP)", thrust_omp::prepare}};
#if DRAFTGAUGE_HAS_CUDA
  if (device_is_there()) all.push_back({"thrust-cuda", "device code on a CUDA device", thrust_cuda::prepare});
#endif
  return all;
}

Backend choose_backend(std::string_view name, std::string* note) {
  std::string_view resolved = name;
  if (name == "auto" || name == "thrust" || name == "cuda") {
    resolved = device_is_there() ? "thrust-cuda" : name == "thrust" ? "thrust-omp" : "cpu";
    if (note && name != "auto" && !device_is_there())
      *note = std::string(why_no_device) + ": --backend " + std::string(name) + " runs as " + std::string(resolved);
  }
  std::vector<Backend> const all = all_backends();
  auto const found = std::ranges::find(all, resolved, &Backend::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> known = {"auto", "thrust", "cuda"};
  for (Backend const& backend : all) known.push_back(backend.name);
  throw UsageError(unknown_name("backend", name, known));
}

}  // namespace draftgauge
