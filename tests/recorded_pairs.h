#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "sim/chance/philox.h"
#include "sim/recordings/row_statistics.h"

/// Made-up pairs of recorded rows, for the passes over them.
namespace draftgauge::testing {

/// Rows in an encoding, from numbers that it rounds; kld's codes span the row down to 16 below its largest number.
inline std::vector<std::uint8_t> encoded(RowLayout const& layout, std::vector<double> const& numbers) {
  std::vector<std::uint8_t> bytes(layout.row_bytes() * layout.rows);
  for (std::uint64_t r = 0; r < layout.rows; ++r) {
    std::uint8_t* const row = bytes.data() + r * layout.row_bytes();
    auto const put = [&](std::size_t at, auto value) { std::memcpy(row + at, &value, sizeof value); };
    auto const [lowest, top] =
        std::minmax_element(numbers.begin() + static_cast<std::ptrdiff_t>(r * layout.vocab),
                            numbers.begin() + static_cast<std::ptrdiff_t>((r + 1) * layout.vocab));
    float const least = static_cast<float>(std::max(*lowest, *top - 16));
    float const scale = (static_cast<float>(*top) - least) / 65535;
    if (layout.encoding == Encoding::kld) {
      put(0, scale);
      put(4, least);
    }
    for (std::uint64_t i = 0; i < layout.vocab; ++i) {
      double const z = numbers[r * layout.vocab + i];
      float const f = static_cast<float>(z);
      std::uint32_t bits;
      std::memcpy(&bits, &f, 4);
      switch (layout.encoding) {
        case Encoding::f16: put(2 * i, static_cast<_Float16>(z)); break;
        case Encoding::bf16: put(2 * i, static_cast<std::uint16_t>(bits >> 16)); break;
        case Encoding::f32: put(4 * i, f); break;
        case Encoding::f64: put(8 * i, z); break;
        case Encoding::kld:
          put(8 + 2 * i, static_cast<std::uint16_t>(scale > 0 ? std::clamp((f - least) / scale, 0.0F, 65535.0F) : 0));
      }
    }
  }
  return bytes;
}

inline std::vector<double> decoded(RowLayout const& layout, std::vector<std::uint8_t> const& bytes,
                                   std::uint64_t row) {
  std::vector<double> z(layout.vocab);
  decode_row(layout, std::span(bytes).subspan(row * layout.row_bytes(), layout.row_bytes()), z);
  return z;
}

/// Numbers like logits: a sum of uniforms, steep enough that a few tokens carry most of the law.
inline double noise(std::uint32_t i, std::uint32_t j) {
  double sum = 0;
  for (std::uint32_t word : Philox::bits({{i, j, 0, 0}}, {{5, 0}}).word) sum += word * 0x1p-32 - 0.5;
  return 6 * sum;
}

struct EncodedRecording {
  RowLayout target, draft;
  std::vector<std::uint8_t> p, q;
  std::vector<std::int64_t> tokens;

  EncodedPairs pairs() const { return {target, draft, p.data(), q.data(), tokens.data()}; }
  RowStatistics reference(double temperature, std::uint64_t row) const {
    return figures_of_logits(decoded(target, p, row), decoded(draft, q, row), temperature, tokens[row]);
  }
};

/// What rows may look like: `holes` puts −∞ in places of one side, or of both, and `wide` logits that exp() of a float
/// cannot hold.
enum class Kind { plain, holes, wide };

inline EncodedRecording recording(Encoding target, Encoding draft, std::uint64_t vocab, Kind kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EncodedRecording r{{target, 3, vocab}, {draft, 3, vocab}, {}, {}, {}};
  std::vector<double> a, b;
  for (std::uint32_t i = 0; i < 3 * vocab; ++i) {
    double z = noise(i, 0);
    a.push_back(z + 11);
    b.push_back(0.9 * z + 0.3 * noise(i, 1) - 4);
    if (kind == Kind::holes && i % 7 == 3 && i % vocab != 0) b.back() = -infinity;
    if (kind == Kind::holes && i % 14 == 3 && i % vocab != 0) a.back() = -infinity;
    if (kind == Kind::holes && i % 11 == 5 && i % vocab != 0 && i > 2 * vocab) a.back() = -infinity;
    if (kind == Kind::wide) (i % 2 ? a : b).back() *= 40;
  }
  r.p = encoded(r.target, a);
  r.q = encoded(r.draft, b);
  for (std::uint64_t row = 0; row < 3; ++row) r.tokens.push_back(static_cast<std::int64_t>(row * 5 % vocab));
  return r;
}

inline bool same_bits(RowStatistics const& a, RowStatistics const& b) {
  double const x[] = {a.beta,  a.tv,    a.kl_pq,         a.kl_qp, a.entropy_p, a.entropy_q,
                      a.max_p, a.max_q, a.p_of_argmax_q, a.log_p, a.log_q};
  double const y[] = {b.beta,  b.tv,    b.kl_pq,         b.kl_qp, b.entropy_p, b.entropy_q,
                      b.max_p, b.max_q, b.p_of_argmax_q, b.log_p, b.log_q};
  return std::memcmp(x, y, sizeof x) == 0 && a.argmax_p == b.argmax_p && a.argmax_q == b.argmax_q &&
         a.rank_p == b.rank_p && a.rank_q == b.rank_q;
}

/// How far figures may be from the definition's.
struct Tolerance {
  double probability;  ///< of β, TV and probabilities; also of ln p(x), ln q(x), beside 1e-12 of their value
  double mean;         ///< of entropies and divergences, each time (1 + the value)
};

inline void check_near(RowStatistics const& f, RowStatistics const& exact, Tolerance const& within) {
  auto const near = [](double x, double y, double absolute, double relative) {
    if (x == y) return true;  // infinities too
    return std::abs(x - y) <= absolute + relative * std::abs(y);
  };
  CHECK(near(f.beta, exact.beta, within.probability, 0));
  CHECK(near(f.tv, exact.tv, within.probability, 0));
  CHECK(near(f.max_p, exact.max_p, within.probability, 0));
  CHECK(near(f.max_q, exact.max_q, within.probability, 0));
  CHECK(near(f.p_of_argmax_q, exact.p_of_argmax_q, within.probability, 0));
  CHECK(near(f.log_p, exact.log_p, within.probability, 1e-12));
  CHECK(near(f.log_q, exact.log_q, within.probability, 1e-12));
  CHECK(near(f.kl_pq, exact.kl_pq, within.mean, within.mean));
  CHECK(near(f.kl_qp, exact.kl_qp, within.mean, within.mean));
  CHECK(near(f.entropy_p, exact.entropy_p, within.mean, within.mean));
  CHECK(near(f.entropy_q, exact.entropy_q, within.mean, within.mean));
  CHECK(f.argmax_p == exact.argmax_p);
  CHECK(f.argmax_q == exact.argmax_q);
  CHECK(f.rank_p == exact.rank_p);
  CHECK(f.rank_q == exact.rank_q);
}

}  // namespace draftgauge::testing
