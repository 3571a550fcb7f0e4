#include "gpu/backends.h"

#include <omp.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "gpu/kernel_player.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/play/trial.h"
#include "tests/cases.h"
#include "tests/known_tallies.h"

using namespace draftgauge;

namespace {

bool is_there(std::string_view name) {
  auto const all = all_backends();
  return contains(all, name, &Backend::name);
}

bool is_of_device(Backend const& backend) { return backend.name.ends_with("cuda"); }

/// Fails where a backend is not the one that plays, for want of a device or of memory.
void no_fallback(std::string const& said) {
  if (said.ends_with(": this runs as cpu")) FAIL_CHECK(said);
}

}  // namespace

TEST_CASE("backends: every one gives the known tallies") {
  for (Backend const& backend : all_backends(no_fallback))
    for (auto const& known : testing::tally_answers) {
      CAPTURE(backend.name, known.rule, known.gamma, known.seed);
      CHECK(testing::play(known, backend, 2) == known);
    }
}

TEST_CASE("backends: every one equals the serial reference, whole and in two ranges") {
  auto const backends = all_backends(no_fallback);
  std::size_t turn = 0;
  for (auto const& c : testing::cases()) {
    Simulation const simulation(c.task, *c.tables, 42);
    Tally const whole = simulate(simulation, c.range, serial_backend(), 1).tally;
    for (Backend const& backend : backends) {
      if (backend.name == "serial" || (is_of_device(backend) && !c.on_device)) continue;
      if (backend.name == "cuda" && !KernelPlayer::plays(simulation))
        continue;  // thrust-cuda's, which has its own turn
      int const threads = 1 + static_cast<int>(turn++ % 8);
      INFO(c.name << " on " << backend.name << " with " << threads << " threads");
      REQUIRE(simulate(simulation, c.range, backend, threads).tally == whole);
      std::uint64_t const cut = 1 + c.range.end / 3;
      Tally parts = simulate(simulation, {cut, c.range.end}, backend, threads).tally;
      parts += simulate(simulation, {0, cut}, backend, threads).tally;
      REQUIRE(parts == whole);
    }
  }
}

TEST_CASE("backends: one to eight threads, in pieces, at the end of the trial numbers") {
  PairTables const tables({{{3, 4, 3}, {6, 3, 1}, 10}}, Follow::independent);
  Simulation const simulation({.shape = {.gamma = 5}, .positions = 2}, tables, 7);
  std::uint64_t const last = ~std::uint64_t{0};
  for (Range range : {Range{0, 3001}, Range{last - 1000, last}}) {
    Tally const whole = simulate(simulation, range, serial_backend(), 1).tally;
    for (Backend const& backend : all_backends(no_fallback))
      for (int threads = 1; threads <= 8; ++threads) {
        CAPTURE(backend.name, threads);
        CHECK(simulate(simulation, range, backend, threads).tally == whole);
      }
  }
}

TEST_CASE("backends: a program's own teams of OpenMP have as many threads as before") {
  auto const c = testing::cases().front();
  Simulation const simulation(c.task, *c.tables, 42);
  Player const player = choose_backend("thrust-omp").prepare(simulation, 1);
  auto const threads_after = [&](int team) {
    omp_set_num_threads(team);
    Tally tally(simulation.plan().tally);
    player({0, 20}, tally);
    CHECK(tally[TallyLayout::trials] == 20);
    CHECK(omp_get_max_threads() == team);
    std::filesystem::directory_iterator const threads("/proc/self/task");  // libgomp keeps its threads
    return std::distance(begin(threads), end(threads));
  };
  int const before = omp_get_max_threads(), processors = omp_get_num_procs();
  std::filesystem::directory_iterator const threads("/proc/self/task");
  auto const there = std::distance(begin(threads), end(threads));
  if (processors > 1) CHECK(threads_after(1) == there);
#ifndef __SANITIZE_THREAD__  // which does not see libgomp's barriers
  // A team of more threads than processors sleeps while it waits, and does not spin.
  CHECK(threads_after(processors) > processors);
  CHECK(threads_after(processors + 3) >= processors + 3);
#endif
  omp_set_num_threads(before);
}

TEST_CASE("backends: names resolve, and what was chosen is said") {
  bool const device = is_there("cuda");
  auto const chosen = [](std::string_view name) {
    std::string said;
    std::string_view const resolved = choose_backend(name, [&](std::string const& text) { said += text; }).name;
    return std::pair<std::string, std::string>(resolved, said);
  };
  for (Backend const& backend : all_backends())
    CHECK(chosen(backend.name) == std::pair(std::string(backend.name), std::string()));
  DeviceLack const& lack = device_lack_here();
  CHECK(lack.why.empty() == device);
  CHECK(chosen("auto") ==
        std::pair<std::string, std::string>(device ? "cuda" : "cpu",
                                            lack.expected ? lack.why + ": --backend auto runs as cpu" : ""));
  if (device) {
    CHECK(chosen("thrust") == std::pair<std::string, std::string>("thrust-cuda", ""));
  } else {
    CHECK(chosen("thrust") ==
          std::pair<std::string, std::string>("thrust-omp", lack.why + ": --backend thrust runs as thrust-omp"));
    CHECK(chosen("cuda") == std::pair<std::string, std::string>("cpu", lack.why + ": --backend cuda runs as cpu"));
  }
  CHECK_NOTHROW(choose_backend("thrust"));
}

TEST_CASE("backends: the names to ask for, and what they mean here") {
  auto const names = backend_names();
  auto const meaning = [&](std::string_view name) {
    auto const found = std::ranges::find(names, name, &BackendName::name);
    return found == names.end() ? "" : found->summary;
  };
  CHECK_THAT(meaning("auto"), Catch::StartsWith(is_there("cuda") ? "here cuda" : "here cpu ("));
  CHECK_THAT(meaning("thrust"), Catch::StartsWith(is_there("cuda") ? "here thrust-cuda" : "here thrust-omp ("));
  CHECK_THAT(meaning("cuda"), Catch::StartsWith(is_there("cuda") ? "kernels on all CUDA devices" : "here cpu ("));
  CHECK(meaning("serial") == serial_backend().summary);
}

TEST_CASE("backends: the old spelling of one is another, and nothing is said of it") {
  std::string said;
  CHECK(choose_backend("thrust-cpp", [&](std::string const& text) { said += text; }).name == "thrust-omp");
  CHECK(said.empty());
}

TEST_CASE("backends: an unknown name lists the known ones and the nearest") {
  CHECK_THROWS_WITH(choose_backend("trust"),
                    Catch::StartsWith("there is no backend 'trust' (known: auto, thrust, cuda, serial, cpu, "
                                      "thrust-omp") &&
                        Catch::EndsWith("did you mean 'thrust'?"));
  CHECK_THROWS_AS(choose_backend("trust"), UsageError);
}
