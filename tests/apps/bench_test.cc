#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "apps/result.h"
#include "bench/ingest.h"
#include "bench/textbook.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

TEST_CASE("bench prints every figure beside its baseline") {
  Run const got = run_line("bench --quick --threads 2 --format json");
  INFO(got.err);
  REQUIRE(got.status == 0);
  Json const rows = Json::parse(got.out)["rows"];
  std::set<std::string> names;
  for (Json const& row : rows) {
    CAPTURE(row.dump());
    CHECK(names.insert(row["name"].get<std::string>()).second);
    CHECK(row["rate"].get<double>() > 0);
    if (row["baseline"] == "textbook" && row["name"].get<std::string>().ends_with("textbook")) CHECK(row["ratio"] == 1.0);
  }
  CHECK(names.contains("V=32: textbook"));
  CHECK(names.contains("V=32: serial"));
  CHECK(names.contains("V=32: cpu, 1 thread"));
  CHECK(names.contains("V=32: cpu, 2 threads"));
  CHECK(names.contains("V=32768, histograms: serial"));
  for (std::string const encoding : {"fp32", "fp16", "bf16", "kld"}) CHECK(names.contains(encoding + ": plain"));
}

TEST_CASE("the plain baseline of ingest computes the figures") {
  for (Encoding encoding : {Encoding::f32, Encoding::f16, Encoding::bf16, Encoding::kld}) {
    ingest::Rows const rows(encoding, 6, 1000);
    std::vector<RowFigures> fused(6);
    REQUIRE_FALSE(figures_of_rows(rows.pairs(0), 1, fused));
    for (std::uint64_t i = 0; i < 6; ++i) {
      RowFigures const plain = ingest::plain_figures(rows.pairs(i));
      CHECK(plain.beta == Approx(fused[i].beta).margin(1e-6));
      CHECK(plain.kl_pq == Approx(fused[i].kl_pq).margin(1e-5));
      CHECK(plain.entropy_q == Approx(fused[i].entropy_q).margin(1e-5));
      CHECK(plain.argmax_p == fused[i].argmax_p);
      CHECK(fused[i].beta > 0.3);
      CHECK(fused[i].beta < 0.99);
    }
  }
}

// A baseline that computes something else is none. β = 0.7, γ = 2: E[N] = 2.19, Var N = 0.7539; first tokens follow p.
// 10^6 rounds; each check leaves ±6 standard errors (false alarm 2e-9) and so sees a deviation of 0.0073 in E[N] or
// 0.0041 in a probability with power 0.99.
TEST_CASE("the textbook baseline plays Algorithm 1") {
  std::vector<double> const p = {.3, .4, .3}, q = {.6, .3, .1};
  textbook::Simulator simulator(p, q, 2, 17);
  auto counts = simulator.no_counts(true);
  constexpr std::uint64_t rounds = 1'000'000;
  simulator.run(rounds / 2, counts);
  simulator.run(rounds / 2, counts);
  double const n = static_cast<double>(rounds);
  CHECK(counts.accepted[0] + counts.accepted[1] + counts.accepted[2] == rounds);
  CHECK(std::abs(static_cast<double>(counts.tokens) / n - 2.19) < 6 * std::sqrt(0.7539 / n));
  for (std::size_t x = 0; x < 3; ++x)
    CHECK(std::abs(static_cast<double>(counts.histograms[0][x]) / n - p[x]) < 6 * std::sqrt(p[x] * (1 - p[x]) / n));
}

}  // namespace
}  // namespace draftgauge
