#include "sim/recordings/row_statistics.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "sim/base/vector_target.h"
#include "tests/recorded_pairs.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<RowStatistics> figures_of(EncodedRecording const& r, double temperature, VectorTarget on) {
  std::vector<RowStatistics> result(r.target.rows);
  REQUIRE_FALSE(statistics_of_rows(r.pairs(), temperature, result, on));
  return result;
}

/// What the pass's floats allow.
void check_close(RowStatistics const& f, RowStatistics const& exact) {
  check_near(f, exact, {.probability = 3e-7, .mean = 1e-6});
}

}  // namespace

TEST_CASE("figures of two distributions by hand") {
  RowStatistics const f = figures_of_tables(std::vector{.3, .4, .3}, std::vector{.6, .3, .1}, 1);
  CHECK(f.beta == Approx(.7));
  CHECK(f.tv == Approx(.3));
  CHECK(f.kl_pq == Approx(.3 * std::log(.5) + .4 * std::log(4.0 / 3) + .3 * std::log(3)));
  CHECK(f.kl_qp == Approx(.6 * std::log(2) + .3 * std::log(.75) + .1 * std::log(1.0 / 3)));
  CHECK(f.entropy_p == Approx(-.6 * std::log(.3) - .4 * std::log(.4)));
  CHECK(f.argmax_p == 1);
  CHECK(f.argmax_q == 0);
  CHECK(f.max_p == Approx(.4));
  CHECK(f.p_of_argmax_q == Approx(.3));
  CHECK(f.log_p == Approx(std::log(.4)));
  CHECK(f.log_q == Approx(std::log(.3)));
  CHECK(f.rank_p == 1);
  CHECK(f.rank_q == 2);
}

TEST_CASE("figures where a distribution lacks a token, where nothing was recorded, at temperature 0") {
  RowStatistics const f =
      figures_of_logits(std::vector{0.0, std::log(3.0), -infinity}, std::vector{0.0, -infinity, -infinity}, 1, {});
  CHECK(f.beta == Approx(.25));
  CHECK(f.kl_pq == infinity);
  CHECK(f.kl_qp == Approx(std::log(4)));
  CHECK(f.entropy_q == 0);
  CHECK(std::isnan(f.log_p));
  CHECK(f.rank_p == 0);

  RowStatistics const greedy = figures_of_logits(std::vector{1.0, 2.0, 2.0}, std::vector{0.0, 0.0, 5.0}, 0, 2);
  CHECK(greedy.argmax_p == 1);  // of equal ones the smallest
  CHECK(greedy.beta == 0);
  CHECK(greedy.max_p == 1);
  CHECK(greedy.log_p == -infinity);
  CHECK(greedy.log_q == 0);
  CHECK(greedy.rank_p == 1);  // none is likelier
}

TEST_CASE("the fused pass: the same bits on every target, and the definition's figures") {
  struct {
    Encoding target, draft;
    Kind kind;
  } const cases[] = {{Encoding::f32, Encoding::f32, Kind::plain},  {Encoding::f16, Encoding::f16, Kind::plain},
                     {Encoding::bf16, Encoding::f32, Kind::plain}, {Encoding::kld, Encoding::kld, Kind::plain},
                     {Encoding::f64, Encoding::f16, Kind::plain},  {Encoding::f32, Encoding::f32, Kind::holes},
                     {Encoding::f16, Encoding::bf16, Kind::holes}, {Encoding::f32, Encoding::f32, Kind::wide},
                     {Encoding::f16, Encoding::kld, Kind::wide}};
  for (auto const& c : cases)
    for (std::uint64_t vocab : {1u, 5u, 31u, 32u, 33u, 511u, 512u, 513u, 1100u})
      for (double temperature : {1.0, 0.6, 0.05, 7.0}) {
        CAPTURE(static_cast<int>(c.target), static_cast<int>(c.draft), static_cast<int>(c.kind), vocab, temperature);
        EncodedRecording const r = recording(c.target, c.draft, vocab, c.kind);
        auto const scalar = figures_of(r, temperature, VectorTarget::scalar);
        for (std::uint64_t row = 0; row < 3; ++row) check_close(scalar[row], r.reference(temperature, row));
        for (VectorTarget target : vector_targets()) {
          CAPTURE(name_of(target));
          auto const figures = figures_of(r, temperature, target);
          for (std::uint64_t row = 0; row < 3; ++row) CHECK(same_bits(figures[row], scalar[row]));
        }
      }
}

TEST_CASE("the fused pass gives a row the same bits wherever it lies and whatever comes before it") {
  EncodedRecording const r = recording(Encoding::f32, Encoding::f16, 700, Kind::holes);
  auto const together = figures_of(r, 1, vector_target());
  for (std::uint64_t row = 0; row < 3; ++row) {
    std::vector<std::uint8_t> p(3, 0), q(1, 0);  // at odd addresses
    p.insert(p.end(), r.p.begin() + static_cast<std::ptrdiff_t>(row * r.target.row_bytes()), r.p.end());
    q.insert(q.end(), r.q.begin() + static_cast<std::ptrdiff_t>(row * r.draft.row_bytes()), r.q.end());
    RowStatistics alone;
    EncodedPairs const pair{r.target, r.draft, p.data() + 3, q.data() + 1, &r.tokens[row]};
    REQUIRE_FALSE(statistics_of_rows(pair, 1, {&alone, 1}));
    CHECK(same_bits(alone, together[row]));
  }
}

TEST_CASE("every finite float16 and bfloat16 is decoded as the definition does") {
  for (Encoding encoding : {Encoding::f16, Encoding::bf16}) {
    // Next to 0: its logarithm shows the number, as long as it is above that of the least one.
    RowLayout const layout{encoding, 65536, 2};
    std::vector<std::uint8_t> bytes(layout.row_bytes() * layout.rows);
    std::vector<std::int64_t> tokens(layout.rows, 0);
    for (std::uint32_t code = 0; code < 65536; ++code) {
      bool const special =
          (code & (encoding == Encoding::f16 ? 0x7C00u : 0x7F80u)) == (encoding == Encoding::f16 ? 0x7C00u : 0x7F80u);
      auto const bits = static_cast<std::uint16_t>(special ? 0 : code);
      std::memcpy(bytes.data() + 4 * code, &bits, 2);
    }
    EncodedRecording const r{layout, layout, bytes, bytes, tokens};
    for (VectorTarget target : vector_targets()) {
      auto const figures = figures_of(r, 1, target);
      std::uint32_t wrong = 0;
      for (std::uint32_t code = 0; code < 65536; ++code) {
        RowStatistics const exact = r.reference(1, code);
        // As a sum's only other term: 2e-7 of ln(1 + e^−z), or of z itself where that is large.
        wrong += std::abs(figures[code].log_p - exact.log_p) > 2e-7 * std::max(1.0, std::abs(exact.log_p));
        wrong += figures[code].rank_p != exact.rank_p || figures[code].argmax_p != exact.argmax_p;
      }
      CAPTURE(name_of(target), static_cast<int>(encoding));
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a row that is no distribution is found, with its side, row and column") {
  float const bad_values[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()};
  for (VectorTarget target : vector_targets())
    for (float bad : bad_values)
      for (bool in_draft : {false, true})
        for (std::size_t column : {0u, 3u, 600u, 699u}) {
          EncodedRecording r = recording(Encoding::f32, Encoding::f32, 700, Kind::plain);
          std::memcpy((in_draft ? r.q : r.p).data() + r.target.row_bytes() + 4 * column, &bad, sizeof bad);
          std::vector<RowStatistics> out(3);
          auto const unsound = statistics_of_rows(r.pairs(), 1, out, target);
          REQUIRE(unsound);
          CHECK(unsound->row == 1);
          CHECK(unsound->in_draft == in_draft);
          CHECK(unsound->logit.column == column);
          CHECK(unsound->logit.text() ==
                "column " + std::to_string(column) + (std::isnan(bad) ? " is nan" : " is inf"));
        }
  EncodedRecording r = recording(Encoding::f32, Encoding::kld, 700, Kind::plain);
  float const least = -std::numeric_limits<float>::infinity();
  std::memcpy(r.q.data() + 2 * r.draft.row_bytes() + 4, &least, sizeof least);
  std::vector<RowStatistics> out(3);
  auto const unsound = statistics_of_rows(r.pairs(), 1, out);
  REQUIRE(unsound);
  CHECK(unsound->row == 2);
  CHECK(unsound->in_draft);
  CHECK(unsound->logit.text() == "-inf throughout");
}

TEST_CASE("a first block that a distribution excludes whole does no harm") {
  std::vector<double> a(1200, -infinity), b(1200, -infinity);
  a[1100] = 3;
  a[700] = b[1100] = 2;
  EncodedRecording r{{Encoding::f32, 1, 1200}, {Encoding::f32, 1, 1200}, {}, {}, {1100}};
  r.p = encoded(r.target, a);
  r.q = encoded(r.draft, b);
  for (VectorTarget target : vector_targets()) check_close(figures_of(r, 1, target)[0], r.reference(1, 0));
}

TEST_CASE("a later block far above the first, and far below, in whatever power of 2") {
  // Near 6541360 a depth that is rounded as for an exponential lacks bits of a small one's and has no others.
  for (float jump : {2.0F, 3.5F, 100.0F, 1e4F, 6541352.0F, 6541360.0F, 6541368.0F, 1e30F})
    for (bool up : {true, false})
      for (std::size_t at : {600u, 1023u, 1024u}) {
        EncodedRecording r = recording(Encoding::f32, Encoding::f32, 1100, Kind::plain);
        float const z = up ? jump : -jump;
        std::memcpy(r.p.data() + 4 * at, &z, sizeof z);
        if (!up) std::memcpy(r.q.data() + 4 * at, &z, sizeof z);
        CAPTURE(z, at);
        for (VectorTarget target : vector_targets()) check_close(figures_of(r, 1, target)[0], r.reference(1, 0));
      }
}
