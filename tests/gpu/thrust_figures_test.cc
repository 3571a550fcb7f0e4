#include "gpu/thrust_figures.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gpu/backends.h"
#include "gpu/exponential.h"
#include "tests/recorded_pairs.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<RowFigures> figures_of(Recording const& r, double temperature, RowPass const& pass, int threads) {
  std::vector<RowFigures> result(r.target.rows);
  REQUIRE_FALSE(pass(r.pairs(), temperature, result, threads));
  return result;
}

/// Every row by the definition, and the same bits by every system, each time on another number of threads, 1 to 8.
void check(Recording const& r, double temperature) {
  static int turn = 0;
  auto const one = figures_of(r, temperature, thrust_cpp::figures_of_rows, 1);
  for (std::uint64_t row = 0; row < r.target.rows; ++row)
    check_near(one[row], r.reference(temperature, row), {.probability = 1e-12, .mean = 1e-12});
  for (Backend const& backend : all_backends()) {
    RowPass const pass = row_pass_of(backend.name);
    if (!pass) continue;
    int const threads = 1 + turn++ % 8;
    CAPTURE(backend.name, threads);
    auto const figures = figures_of(r, temperature, pass, threads);
    for (std::uint64_t row = 0; row < r.target.rows; ++row) CHECK(same_bits(figures[row], one[row]));
  }
}

}  // namespace

TEST_CASE("e^-x is the C library's within 3e-16, down to the least normal number, and 0 after it") {
  for (int i = 0; i <= 708'000; ++i) {
    double const x = i * 1e-3, exact = std::exp(-x);
    double const e = exp_minus(x);
    if (x < 708 ? std::abs(e - exact) > 3e-16 * exact : e != 0) FAIL("at " << x << ": " << e << ", not " << exact);
  }
  CHECK(exp_minus(0) == 1);
  CHECK(exp_minus(0x1p-60) == 1);
  CHECK(exp_minus(infinity) == 0);
  CHECK(exp_minus(std::numeric_limits<double>::quiet_NaN()) == 0);
}

TEST_CASE("figures on Thrust: the definition's, and the same bits on every system with any number of threads") {
  struct {
    Encoding target, draft;
    Kind kind;
  } const cases[] = {{Encoding::f32, Encoding::f32, Kind::plain},  {Encoding::f16, Encoding::f16, Kind::plain},
                     {Encoding::bf16, Encoding::f32, Kind::plain}, {Encoding::kld, Encoding::kld, Kind::plain},
                     {Encoding::f64, Encoding::f16, Kind::plain},  {Encoding::f64, Encoding::f64, Kind::holes},
                     {Encoding::f32, Encoding::f32, Kind::holes},  {Encoding::f16, Encoding::bf16, Kind::holes},
                     {Encoding::f32, Encoding::f32, Kind::wide},   {Encoding::f16, Encoding::kld, Kind::wide}};
  for (auto const& c : cases)
    for (std::uint64_t vocab : {1u, 5u, 31u, 33u, 255u, 256u, 257u, 1100u, 5001u})
      for (double temperature : {1.0, 0.6, 0.05, 7.0}) {
        CAPTURE(static_cast<int>(c.target), static_cast<int>(c.draft), static_cast<int>(c.kind), vocab, temperature);
        check(recording(c.target, c.draft, vocab, c.kind), temperature);
      }
}

TEST_CASE("figures on Thrust: rows of 49152") {
  for (Encoding encoding : {Encoding::f16, Encoding::bf16, Encoding::f32, Encoding::f64, Encoding::kld})
    check(recording(encoding, encoding, 49152, Kind::plain), 1);
}

TEST_CASE("figures on Thrust: of equal logits the first is the argmax, wherever they lie") {
  for (std::uint64_t first : {0u, 40u, 299u, 511u})
    for (std::uint64_t second : {513u, 768u + 40u, 1099u}) {
      std::vector<double> a(1100, 1.0), b(1100, -infinity);
      a[first] = a[second] = 5;
      b[first] = b[second] = -3;
      Recording r{{Encoding::f32, 1, 1100}, {Encoding::f16, 1, 1100}, {}, {}, {static_cast<std::int64_t>(second)}};
      r.p = encoded(r.target, a);
      r.q = encoded(r.draft, b);
      check(r, 1);
      CHECK(figures_of(r, 1, thrust_omp::figures_of_rows, 2)[0].argmax_q == first);
      CHECK(figures_of(r, 1, thrust_omp::figures_of_rows, 2)[0].rank_p == 1);
    }
}

TEST_CASE("figures on Thrust: the same row has the same bits in every batch, and many rows fit") {
  Recording const one = recording(Encoding::f32, Encoding::f16, 7, Kind::holes);
  Recording many = one;
  constexpr std::uint64_t rows = 3 * 1000;  // more than a batch
  for (std::uint64_t at = 3; at < rows; at += 3) {
    many.p.insert(many.p.end(), one.p.begin(), one.p.end());
    many.q.insert(many.q.end(), one.q.begin(), one.q.end());
    many.tokens.insert(many.tokens.end(), one.tokens.begin(), one.tokens.end());
  }
  many.target.rows = many.draft.rows = rows;
  auto const few = figures_of(one, 1, thrust_omp::figures_of_rows, 2);
  auto const all = figures_of(many, 1, thrust_omp::figures_of_rows, 2);
  std::size_t different = 0;
  for (std::uint64_t row = 0; row < rows; ++row) different += !same_bits(all[row], few[row % 3]);
  CHECK(different == 0);
}

TEST_CASE("figures on Thrust: without recorded tokens") {
  Recording const r = recording(Encoding::f32, Encoding::f32, 300, Kind::plain);
  EncodedPairs pairs = r.pairs();
  pairs.tokens = nullptr;
  std::vector<RowFigures> out(3);
  REQUIRE_FALSE(thrust_omp::figures_of_rows(pairs, 1, out, 2));
  CHECK(std::isnan(out[1].log_p));
  CHECK(out[1].rank_q == 0);
  CHECK(out[1].beta == Approx(r.reference(1, 1).beta).epsilon(1e-12));
}

TEST_CASE("figures on Thrust: a row that is no law is found, with its side, row and column") {
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    for (bool in_draft : {false, true})
      for (std::size_t column : {0u, 3u, 600u, 699u}) {
        Recording r = recording(Encoding::f32, Encoding::f32, 700, Kind::plain);
        std::memcpy((in_draft ? r.q : r.p).data() + r.target.row_bytes() + 4 * column, &bad, sizeof bad);
        std::vector<RowFigures> out(3);
        auto const unsound = thrust_omp::figures_of_rows(r.pairs(), 1, out, 2);
        REQUIRE(unsound);
        CHECK(unsound->row == 1);
        CHECK(unsound->in_draft == in_draft);
        CHECK(unsound->logit.column == column);
      }
  Recording r = recording(Encoding::f64, Encoding::f16, 9, Kind::plain);
  r.q = encoded(r.draft, std::vector<double>(27, -infinity));
  std::vector<RowFigures> out(3);
  auto const unsound = thrust_cpp::figures_of_rows(r.pairs(), 1, out, 1);
  REQUIRE(unsound);
  CHECK(unsound->in_draft);
  CHECK(unsound->logit.text() == "-inf throughout");
}

TEST_CASE("backends: those on Thrust have a pass over rows of their own") {
  CHECK_FALSE(row_pass_of("serial"));
  CHECK_FALSE(row_pass_of("cpu"));
  CHECK(row_pass_of("thrust-cpp"));
  CHECK(row_pass_of("thrust-omp"));
}
