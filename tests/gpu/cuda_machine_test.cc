#if DRAFTGAUGE_HAS_CUDA
#include "gpu/cuda_machine.h"
#include "gpu/cuda_probes.h"

#include <catch2/catch.hpp>

#include "gpu/backends.h"
#include "tests/gpu/kernel_cases.h"
#include "tests/known_answers.h"

using namespace draftgauge;

namespace {

/// Whether there is a device; says why where there is none.
bool device_is_there() {
  std::string const& why = device_lack_here().why;
  if (!why.empty()) WARN("not tested, as " << why);
  return why.empty();
}

std::uint64_t every_trial(testing::KernelCase const& c) { return c.trials; }

}  // namespace

TEST_CASE("device: where there is none its machine says so") {
  if (!device_is_there()) CHECK_THROWS_WITH(cuda_machine(0), Catch::StartsWith("CUDA "));
}

TEST_CASE("device: Philox gives the known answers", "[short]") {
  if (!device_is_there()) return;
  for (auto const& known : testing::philox_answers) {
    auto const words = cuda_philox(known.key, std::vector{known.counter});
    CHECK(words.at(0) == known.words);
  }
}

TEST_CASE("device: probes have a rate") {
  if (!device_is_there()) return;
  for (DeviceProbe const& probe : cuda_probes()) {
    INFO(probe.name);
    CHECK(probe.rate() > 0);
  }
}

// More trials than all threads of a device, so that some threads have two, and few enough for compute-sanitizer.
TEST_CASE("device: every kernel equals the cpu backend in short ranges", "[short]") {
  if (!device_is_there()) return;
  auto const few = [](testing::KernelCase const&) { return std::uint64_t{300'000}; };
  std::set<std::string> reached = testing::check_kernels(testing::chain_cases(), cuda_machine(0), few);
  reached.merge(testing::check_kernels(testing::walk_cases(), cuda_machine(0), few));
  CHECK(reached == testing::every_kind());
}

// Many turns of all threads, queues that fill, counters of lengths that go beyond 16 bits, more than one launch.
// In three, so that each has a time of its own (gpu/check/run).
TEST_CASE("device: every kernel equals the cpu backend where rates are measured") {
  if (!device_is_there()) return;
  testing::check_kernels(testing::measured_cases(), cuda_machine(0), every_trial);
}
TEST_CASE("device: every kernel equals the cpu backend in many trials of one round") {
  if (!device_is_there()) return;
  testing::check_kernels(testing::chain_cases(), cuda_machine(0), every_trial);
}
TEST_CASE("device: every kernel equals the cpu backend in many trials of several rounds") {
  if (!device_is_there()) return;
  testing::check_kernels(testing::walk_cases(), cuda_machine(0), every_trial);
}
#endif
