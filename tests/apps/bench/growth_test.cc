#include "bench/growth.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "bench/round_work.h"
#include "sim/chance/layout.h"
#include "sim/chance/philox.h"
#include "tests/temporary_folder.h"

namespace draftgauge::bench {
namespace {

// γ = 1, narrow tables: E_0, D_0 and F_0 stand in the first block. Each round examines one position (one step) and
// makes one last pick.
TEST_CASE("the work of a round") {
  RoundWork const one = round_work(1, 0.8, 5, false);
  CHECK(one.words == 4);
  CHECK(one.table_reads == 1);
  // γ = 5: a second block once 4 or 5 positions are examined, P = 0.8^3; E[examined] = Σ 0.8^i, i < 5.
  RoundWork const five = round_work(5, 0.8, 10, false);
  CHECK(five.words == Approx(4 * (1 + std::pow(0.8, 3))));
  CHECK(five.table_reads == Approx(3.3616));
  // Wide tables take two slots a position: blocks end at slots 3 and 7, so with 1, 2–3 and 4–5 positions examined.
  CHECK(round_work(5, 0.8, 11, false).words == Approx(4 * (1 + 0.8 + std::pow(0.8, 3))));
  // Contexts: a word each for 1 to 6 nodes, so a second block once 4 drafts are accepted.
  CHECK(round_work(5, 0.8, 10, true).words - five.words == Approx(4 * (1 + std::pow(0.8, 4))));
}

TEST_CASE("growth varies one dimension at a time over its whole range") {
  auto const points = growth_points(3);
  std::set<std::string> varied;
  for (GrowthPoint const& point : points) {
    varied.insert(point.varied);
    CHECK((point.vocab == 32 || point.varied == "vocab" || point.varied == "contexts"));
    CHECK((point.gamma == 5 || point.varied == "gamma"));
    CHECK((point.threads == 1 || point.varied == "threads"));
    CHECK((point.contexts == 1 || point.varied == "contexts"));
  }
  CHECK(varied == std::set<std::string>{"contexts", "gamma", "threads", "vocab"});
  auto const values = [&](std::string const& name) {
    std::vector<double> all;
    for (GrowthPoint const& point : points)
      if (point.varied == name) all.push_back(point.varied_value());
    return all;
  };
  CHECK(values("vocab") == std::vector<double>{2, 8, 32, 128, 512, 2048, 8192, 32768, 262144});
  CHECK(values("gamma") == std::vector<double>{1, 2, 4, 8, 16, 32, 64});
  CHECK(values("threads") == std::vector<double>{1, 2, 3});
  CHECK(values("contexts") == std::vector<double>{1, 10, 100, 1000, 10000});
}

TEST_CASE("a point of growth is measured beside its bounds") {
  Setup const setup{.seed = 1, .threads = 1, .length = {1e-3, 1}, .generic = serial_backend(), .pythons = {}};
  Cache const caches[] = {{1, 1024}, {2, 1 << 20}};
  GrowthFigure const one = measure_growth({.varied = "vocab", .vocab = 32}, setup, caches);
  CHECK(one.table_bytes == 32 * (8 + 4));  // a step and the digits beyond it
  bool const in_registers = vector_target() == VectorTarget::avx512;
  CHECK(one.place == (in_registers ? "registers" : "L1"));
  CHECK(one.reads_share.has_value() != in_registers);
  CHECK(one.rate > 0);
  CHECK(one.words_share > 0);
  GrowthFigure const many = measure_growth({.varied = "contexts", .vocab = 128, .contexts = 1000}, setup, caches);
  CHECK(many.table_bytes == 1000 * 128 * (8 + 4));
  CHECK(many.place == "memory");
  CHECK(many.reads_share > 0);
}

TEST_CASE("what limits a point is the probe that it comes nearest to") {
  auto const limit = [](double words, std::optional<double> reads) {
    return GrowthFigure{.point = {},
                        .rate = 1,
                        .words = 4,
                        .table_bytes = 1,
                        .place = "L1",
                        .words_share = words,
                        .reads_share = reads}
        .limit();
  };
  CHECK(limit(0.2, 0.4) == "decisions");
  CHECK(limit(0.7, 0.6) == "random words");
  CHECK(limit(0.5, 0.6) == "table reads");
  CHECK(limit(0.4, {}) == "decisions");
}

TEST_CASE("caches as the system's folder tells of them") {
  namespace fs = std::filesystem;
  TemporaryFolder const folder;
  fs::path const& root = folder.path();
  auto const entry = [&](char const* name, char const* level, char const* type, char const* size) {
    fs::create_directories(root / name);
    std::ofstream(root / name / "level") << level << '\n';
    std::ofstream(root / name / "type") << type << '\n';
    std::ofstream(root / name / "size") << size << '\n';
  };
  entry("index3", "3", "Unified", "32M");
  entry("index0", "1", "Data", "48K");
  entry("index1", "1", "Instruction", "32K");
  entry("index2", "2", "Unified", "1024K");
  entry("index4", "4", "Unified", "99999999999999999999K");
  entry("index5", "4", "Unified", "many");
  entry("index6", "x", "Data", "1K");
  auto const caches = caches_in(root);
  REQUIRE(caches.size() == 3);
  CHECK(caches[0].bytes == 48 << 10);
  CHECK(caches[1].bytes == 1 << 20);
  CHECK(caches[2].bytes == 32 << 20);
  CHECK(place_of(48 << 10, caches) == "L1");
  CHECK(place_of((48 << 10) + 1, caches) == "L2");
  CHECK(place_of(33 << 20, caches) == "memory");
  CHECK(place_of(1, {}) == "unknown");
  CHECK(caches_in(root / "absent").empty());
}

}  // namespace
}  // namespace draftgauge::bench
