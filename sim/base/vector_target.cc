#include "sim/base/vector_target.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

std::vector<VectorTarget> found() {
  std::vector<VectorTarget> result{VectorTarget::scalar};
#if defined(__x86_64__)
  // What Highway lets the compiler use for its targets AVX2 and AVX3 (hwy/ops/set_macros-inl.h).
  bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("f16c") && __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("aes");
  if (avx2) result.push_back(VectorTarget::avx2);
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    result.push_back(VectorTarget::avx512);
#endif
  return result;
}

std::string listed(std::span<VectorTarget const> targets) {
  return joined(targets, [](VectorTarget target) { return name_of(target); });
}

}  // namespace

std::string_view name_of(VectorTarget target) { return vector_target_names[static_cast<std::size_t>(target)]; }

std::span<VectorTarget const> vector_targets() {
  static std::vector<VectorTarget> const targets = found();
  return targets;
}

VectorTarget vector_target() {
  std::span<VectorTarget const> const targets = vector_targets();
  char const* const wanted = std::getenv("DRAFTGAUGE_TARGET");
  if (!wanted || !*wanted) return targets.back();
  for (VectorTarget target : targets)
    if (name_of(target) == wanted) return target;
  throw UsageError(
      "DRAFTGAUGE_TARGET=" + std::string(wanted) + " is not to be had (this machine runs " + listed(targets) + ")",
      "name one of these or unset it");
}

}  // namespace draftgauge
