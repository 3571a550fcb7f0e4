#include <catch2/catch.hpp>
#include <string>

#include "apps/bench/bench_report.h"
#include "bench/cases.h"
#include "bench/measure.h"
#include "tests/content.h"

namespace draftgauge::bench {
namespace {

/// What measures a device in whose place the host plays.
Setup on_host(int threads, Backend const& kernels = cpu_backend(), RaceLength length = {1e-3, 1}) {
  return {.seed = 1,
          .threads = threads,
          .length = length,
          .generic = serial_backend(),
          .pythons = {},
          .device = Device{.name = "a device",
                           .cycles = 1e9,
                           .l2_reads = 2e9,
                           .far_reads = 1e9,
                           .kernels = kernels,
                           .bus = kernels,
                           .generic = serial_backend(),
                           .open = [](Simulation const&) { return 0.; },
                           .busy = [] { return 0.; }}};
}

TEST_CASE(
    "rows of a device, here played on the host, have its bound, the rate aimed for and a chapter of their own") {
  Backend kernels = cpu_backend();
  kernels.name = "cuda";
  Setup setup = on_host(2, kernels);
  setup.device->cycles = 1e12;
  setup.device->generic.name = "thrust-cuda";
  setup.device->open = [](Simulation const&) { return .038; };
  setup.device->probes = {{"products", 4e9, [] { return 3e9; }}};
  std::vector<Row> rows;
  for (GpuCase const& c : gpu_cases) {
    if (std::string_view(c.source) != gpu_32) continue;
    INFO(c.name);
    std::vector<Row> const found = measure_gpu(c, setup);
    REQUIRE(found.size() == 1);
    rows.push_back(found[0]);
    rows.back().chapter = Chapter::device;
    bool const on_thrust = c.plays == Plays::thrust;
    CHECK(rows.back().name == std::string(c.name) + (on_thrust ? ": thrust-cuda" : ": cuda"));
    CHECK(rows.back().baseline == "cpu, 2 threads");
    CHECK(rows.back().rate_goal == c.goal);
    CHECK(rows.back().bound.has_value() == (c.asked.slots > 0 || c.asked.wavefronts > 0));
    CHECK(rows.back().note.starts_with(
        on_thrust ? "a device" : "a device; busy 0 % of the time; 0.038 of rounds left open by tables"));
    CHECK((rows.back().note.find("; in 300 s TV <= ") != std::string::npos) == c.firsts);
  }
  CHECK(rows.size() >= 7);
  Row const probe = measure_probes(setup).at(0);
  CHECK(probe.name == "GPU probes: products");
  CHECK(probe.ratio() == .75);
  CHECK(rows[0].unit == "rounds/s");
  CHECK(rows[0].bound == 1e12 * 4 * 32 / gpu_cases[0].asked.slots);
  rows.push_back({.name = "V=32: avx2", .baseline = "textbook", .unit = "rounds/s", .rate = 1, .goal = 30});

  std::vector<Section> const sections = bench_sections(rows);
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].table.rows().size() == 1);
  CHECK(sections[1].heading == "Rounds on a CUDA device, γ = 5");
  CHECK(sections[1].table.rows().size() == rows.size() - 1);
  CHECK(std::get<std::string>(sections[1].table.rows()[0][5]) == "100G");
  Json const document = rows_of(bench_fields(), rows).array();
  CHECK(document[0]["rate_goal"] == 100e9);
  CHECK(document.back()["rate_goal"].is_null());
}

TEST_CASE("a row's bound is that of the part of the device which a round keeps busiest, and its note names that") {
  Setup setup = on_host(1);
  auto const bound = [&](Asked const& asked) {
    Row const row = measure_gpu({.name = "GPU", .source = gpu_32, .asked = asked}, setup).at(0);
    return std::pair(row.bound, row.note.substr(row.note.rfind(';')));
  };
  CHECK(bound({.slots = 8}) == std::pair(std::optional(16e9), std::string("; bound by instructions")));
  CHECK(bound({.slots = 8, .wavefronts = 4}) ==
        std::pair(std::optional(8e9), std::string("; bound by shared memory")));
  CHECK(bound({.slots = 8, .wavefronts = 4, .sectors = 1}) ==
        std::pair(std::optional(2e9), std::string("; bound by L2")));
  CHECK(bound({.slots = 8, .wavefronts = 4, .sectors = 1, .far_sectors = .5}) ==
        std::pair(std::optional(2e9), std::string("; bound by L2")));
  CHECK(bound({.slots = 8, .sectors = 1, .far_sectors = 1}) ==
        std::pair(std::optional(1e9), std::string("; bound by memory")));
  CHECK(bound({}).first == std::nullopt);
}

TEST_CASE("what settling open rounds costs is the time by which rounds with more of them take longer") {
  // The first source that is made ready is played four times over.
  Backend slow = cpu_backend();
  slow.prepare = [n = 0](Simulation const& simulation, int threads) mutable -> Player {
    Player const play = cpu_backend().prepare(simulation, threads);
    bool const open = n++ % 2 == 0;
    return [=](Range range, Tally& tally) {
      for (int i = 0; i < (open ? 4 : 1); ++i) play(range, tally);
    };
  };
  auto const row = [](Backend const& kernels, double open, double decided) {
    Setup setup = on_host(1, kernels, {1e-2, 5});
    setup.device->open = [=, n = 0](Simulation const&) mutable { return n++ % 2 == 0 ? open : decided; };
    return measure_settling(gpu_settling, setup).at(0);
  };
  Row const found = row(slow, .04, .00005);
  CHECK(found.name == "GPU V=1024, settling: left open");
  CHECK(found.baseline == "decided");
  CHECK(found.ratio() < 1);
  CHECK_THAT(found.note, Catch::StartsWith("a device; 0.04 of rounds left open beside 5e-05; "));
  CHECK_THAT(found.note, Catch::Contains(" s of the device for each, ") && Catch::EndsWith(" % of the time"));
  CHECK_THAT(row(slow, .04, .04).note, Catch::EndsWith("; what they cost is not to be seen"));
}

TEST_CASE("every case of a device is a step of gpu/check/run") {
  std::string const script = content(DRAFTGAUGE_SOURCE_DIR "/gpu/check/run");
  for (GpuCase const& c : gpu_cases) CHECK_THAT(script, Catch::Contains("\"" + std::string(c.name) + "\""));
  CHECK_THAT(script, Catch::Contains("\"GPU probes\""));
  CHECK_THAT(script, Catch::Contains("\"" + std::string(gpu_settling.name) + "\""));
}

}  // namespace
}  // namespace draftgauge::bench
