#include "bench/baselines/baselines.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "bench/baselines/ingest.h"
#include "bench/baselines/numpy.h"
#include "bench/cases.h"
#include "bench/measure.h"
#include "bench/setup.h"
#include "sim/fast/engine.h"
#include "tests/message.h"

namespace draftgauge::bench {
namespace {

LawPair const tables{{.3, .4, .3}, {.6, .3, .1}};
constexpr double beta = 0.7;  // Σ min(p, q)
constexpr int drafts = 2;
constexpr std::uint64_t rounds = 1'000'000;

/// 6 standard errors of a share of 10^6 rounds: a false alarm of 2e-9 each, and a deviation of 0.0041 is seen with
/// power 0.99.
bool is_share(std::uint64_t count, double probability) {
  double const n = static_cast<double>(rounds);
  return std::abs(static_cast<double>(count) / n - probability) < 6 * std::sqrt(probability * (1 - probability) / n);
}

void check_accepted(std::vector<std::uint64_t> const& accepted) {
  REQUIRE(accepted.size() == 3);
  CHECK(accepted[0] + accepted[1] + accepted[2] == rounds);
  CHECK(is_share(accepted[0], 1 - beta));
  CHECK(is_share(accepted[1], beta * (1 - beta)));
  CHECK(is_share(accepted[2], beta * beta));
}

// A baseline that computes something else is none: accepted lengths follow β^i (1 − β), first tokens follow p, and
// second tokens, of the rounds that have them, too.
TEST_CASE("the baselines play Algorithm 1") {
  for (auto const& make : {textbook, branch_free_textbook, standard_library, dense_verifier}) {
    RoundPlayer const play = make(tables, drafts, 17);
    RoundCounts counts(drafts, 3, true);
    play(rounds / 2, counts);
    play(rounds / 2, counts);
    check_accepted(counts.accepted);
    for (std::size_t x = 0; x < 3; ++x) {
      CHECK(is_share(counts.histograms[0][x], tables.p[x]));
      CHECK(is_share(counts.histograms[1][x], beta * tables.p[x]));
      CHECK(is_share(counts.histograms[2][x], beta * beta * tables.p[x]));
    }
    RoundCounts lengths(drafts, 3, false);
    make(tables, drafts, 17)(rounds, lengths);
    CHECK(lengths.histograms.empty());
    CHECK(lengths.accepted == counts.accepted);
  }
}

// U of docs/trees.md on that pair: accepted lengths and first tokens, by recursive rejection without replacement
// (E[τ] = 1.8305).
TEST_CASE("the dense verifier of trees plays recursive rejection") {
  RoundPlayer const play = dense_tree_verifier(tables, TreeShape::of_parents({-1, 0, 0, 1, 1, 3}), 17);
  RoundCounts counts(3, 3, true);
  play(rounds, counts);
  double const passed[] = {.7, .175, .7 * .7, .7 * .175, .7 * .7 * .7};  // nodes 1 to 5: contexts are independent
  CHECK(is_share(counts.accepted[0], 1 - passed[0] - passed[1]));
  CHECK(is_share(counts.accepted[1], passed[0] + passed[1] - passed[2] - passed[3]));
  CHECK(is_share(counts.accepted[2], passed[2] + passed[3] - passed[4]));
  CHECK(is_share(counts.accepted[3], passed[4]));
  for (std::size_t x = 0; x < 3; ++x) CHECK(is_share(counts.histograms[0][x], tables.p[x]));
}

TEST_CASE("NumPy plays Algorithm 1, both ways") {
  for (char const* way : {"whole", "shrinking"}) {
    NumpyRounds numpy(usual_pythons(), way, tables, drafts, 17);
    if (!numpy.ready()) {
      WARN("no python3 with numpy");
      return;
    }
    CHECK(numpy.version().find('.') != std::string::npos);
    CHECK(numpy.seconds(rounds / 2) > 0);
    CHECK(numpy.seconds(rounds / 2) > 0);
    check_accepted(numpy.accepted());
  }
}

TEST_CASE("NumPy scores pairs of rows of either width") {
  for (char const* dtype : {"float32", "float16"}) {
    NumpyFigures numpy(usual_pythons(), dtype);
    if (!numpy.ready()) {
      WARN("no python3 with numpy");
      return;
    }
    CHECK(numpy.seconds(3) > 0);
    CHECK(numpy.seconds(70) > 0);  // more than it keeps
  }
}

TEST_CASE("without a Python that has NumPy the baseline is not ready, and the row says so") {
  std::vector<std::string> const pythons = {"no-such-python", "false"};
  CHECK_FALSE(NumpyRounds(pythons, "whole", tables, drafts, 17).ready());
  Setup const setup{.seed = 1, .threads = 1, .length = {1e-3, 1}, .generic = serial_backend(), .pythons = pythons};
  int missing = 0;
  for (Row const& row : measure_rounds(rounds_cases[0], setup))
    if (row.baseline == "NumPy") {
      ++missing;
      CHECK(row.note == "no python3 with numpy was found");
      CHECK_FALSE(row.ratio());
      CHECK(row.rate > 0);
    }
  CHECK(missing > 0);
}

TEST_CASE("a Python that goes away or says something else is an error") {
  // Shell scripts in Python's place: they print a version and then what is wrong.
  auto const message = [](NumpyRounds& numpy) {
    REQUIRE(numpy.ready());
    return draftgauge::testing::message<InputError>([&] { numpy.seconds(10); });
  };
  std::vector<std::string> const stops = {"tests/apps/bench/python_that_stops"},
                                 babbles = {"tests/apps/bench/python_that_babbles"};
  NumpyRounds stopping(stops, "whole", tables, drafts, 17), babbling(babbles, "whole", tables, drafts, 17);
  CHECK(message(stopping) ==
        "Python stopped in the middle (NumPy is a baseline of bench) try again, or leave it out with --no-numpy");
  std::string const advice = " (seconds and counts were expected) leave it out with --no-numpy";
  CHECK(message(babbling) == "Python says '0.5 one'" + advice);
  CHECK(message(babbling) == "Python says '0 1 1 1'" + advice);
}

TEST_CASE("distributions for the baselines") {
  PairTables const one({{{3, 4, 3}, {6, 3, 1}, 10}}, Follow::independent);
  LawPair const pair = law_pair(one, 0);
  CHECK(pair.p == tables.p);
  CHECK(pair.q == tables.q);
  CHECK(residual_of(pair) == std::vector<double>{0, pair.p[1] - pair.q[1], pair.p[2] - pair.q[2]});
}

TEST_CASE("goals on an instruction set") {
  CHECK(goal_on(VectorTarget::avx512, 60) == 60.0);
  CHECK(goal_on(VectorTarget::avx2, 60) == 30.0);
  CHECK_FALSE(goal_on(VectorTarget::scalar, 60));
  CHECK_FALSE(goal_on(VectorTarget::avx512, {}));
}

TEST_CASE("the plain baseline of ingest computes the figures") {
  for (Encoding encoding : {Encoding::f32, Encoding::f16, Encoding::bf16, Encoding::kld}) {
    ingest::Rows const rows(encoding, 6, 1000);
    std::vector<RowStatistics> fused(6);
    REQUIRE_FALSE(statistics_of_rows(rows.pairs(0), 1, fused));
    for (std::uint64_t i = 0; i < 6; ++i) {
      RowStatistics const plain = ingest::plain_figures(rows.pairs(i));
      CHECK(plain.beta == Approx(fused[i].beta).margin(1e-6));
      CHECK(plain.kl_pq == Approx(fused[i].kl_pq).margin(1e-5));
      CHECK(plain.entropy_q == Approx(fused[i].entropy_q).margin(1e-5));
      CHECK(plain.argmax_p == fused[i].argmax_p);
      CHECK(fused[i].beta > 0.3);
      CHECK(fused[i].beta < 0.99);
    }
  }
}

}  // namespace
}  // namespace draftgauge::bench
