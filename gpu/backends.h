#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine.h"

namespace draftgauge {

/// Every backend that can play here: serial, cpu, and the generic engine on Thrust's systems (thrust-cpp, thrust-omp,
/// and thrust-cuda where the build has it and a device is found).
std::vector<Backend> all_backends();

/// The backend of that name, or the one that "auto", "thrust" or "cuda" choose. `note`, where given, receives what a user should hear of the choice,
/// such as that there is no CUDA device; it is left alone where there is nothing to say. Throws UsageError for an
/// unknown name.
///   auto    the device where there is one, else cpu
///   thrust  the device where there is one, else thrust-omp
///   cuda    the device where there is one, else cpu
Backend choose_backend(std::string_view name, std::string* note = nullptr);

}  // namespace draftgauge
