#include "bench/baselines/ingest.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/chance/philox.h"

namespace draftgauge::ingest {
namespace {

constexpr std::uint64_t distinct_rows = 4;

/// Of IEEE's binary16, by truncation; |x| in [2^-14, 2^15] or 0.
std::uint16_t half_bits(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  if (std::abs(x) < 0x1p-14F) return 0;
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | ((bits & 0x7FFFFFFF) - (112u << 23)) >> 13);
}

void encode(Encoding encoding, std::span<float const> z, std::uint8_t* row) {
  auto const put = [&](std::size_t at, auto value) { std::memcpy(row + at, &value, sizeof value); };
  auto const [least, largest] = std::minmax_element(z.begin(), z.end());
  float const scale = (*largest - *least) / 65535;
  if (encoding == Encoding::kld) {
    put(0, scale);
    put(4, *least);
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, &z[i], sizeof bits);
    switch (encoding) {
      case Encoding::f16: put(2 * i, half_bits(z[i])); break;
      case Encoding::bf16: put(2 * i, static_cast<std::uint16_t>(bits >> 16)); break;
      case Encoding::f32: put(4 * i, z[i]); break;
      case Encoding::f64: put(8 * i, static_cast<double>(z[i])); break;
      case Encoding::kld: put(8 + 2 * i, static_cast<std::uint16_t>((z[i] - *least) / scale));
    }
  }
}

}  // namespace

Rows::Rows(Encoding encoding, std::uint64_t rows, std::uint64_t vocab) : layout{encoding, rows, vocab} {
  target.resize(rows * layout.row_bytes());
  draft.resize(rows * layout.row_bytes());
  std::vector<float> p(vocab), q(vocab);
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::uint64_t const at = row * layout.row_bytes();
    if (row >= distinct_rows) {
      std::uint64_t const like = row % distinct_rows * layout.row_bytes();
      std::copy_n(target.begin() + static_cast<std::ptrdiff_t>(like), layout.row_bytes(),
                  target.begin() + static_cast<std::ptrdiff_t>(at));
      std::copy_n(draft.begin() + static_cast<std::ptrdiff_t>(like), layout.row_bytes(),
                  draft.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    for (std::uint32_t x = 0; x < vocab; ++x) {
      Philox::Words const words = Philox::bits({{x, static_cast<std::uint32_t>(row), 0, 0}}, {{1, 2}});
      auto const noise = [&](int i, int j) {
        return static_cast<float>(words.word[i] * 0x1p-32 + words.word[j] * 0x1p-32 - 1);
      };
      p[x] = 12 * noise(0, 1);
      q[x] = p[x] + 2 * noise(2, 3);
    }
    encode(encoding, p, target.data() + at);
    encode(encoding, q, draft.data() + at);
  }
}

EncodedPairs Rows::pairs(std::uint64_t begin) const {
  return {layout, layout, target.data() + begin * layout.row_bytes(), draft.data() + begin * layout.row_bytes()};
}

RowStatistics plain_figures(EncodedPairs const& pairs) {
  auto const softmax = [](RowLayout const& layout, std::uint8_t const* bytes) {
    std::vector<double> law(layout.vocab);
    decode_row(layout, {bytes, layout.row_bytes()}, law);
    double const largest = *std::max_element(law.begin(), law.end());
    double sum = 0;
    for (double& p : law) sum += p = std::exp(p - largest);
    for (double& p : law) p /= sum;
    return law;
  };
  std::vector<double> const p = softmax(pairs.target, pairs.target_bytes),
                            q = softmax(pairs.draft, pairs.draft_bytes);
  RowStatistics f{};
  for (std::size_t i = 0; i < p.size(); ++i) {
    double const log_p = std::log(p[i]), log_q = std::log(q[i]);
    f.beta += std::min(p[i], q[i]);
    f.tv += std::abs(p[i] - q[i]) / 2;
    f.kl_pq += p[i] * (log_p - log_q);
    f.kl_qp += q[i] * (log_q - log_p);
    f.entropy_p -= p[i] * log_p;
    f.entropy_q -= q[i] * log_q;
  }
  f.argmax_p = static_cast<std::uint32_t>(std::max_element(p.begin(), p.end()) - p.begin());
  f.argmax_q = static_cast<std::uint32_t>(std::max_element(q.begin(), q.end()) - q.begin());
  return f;
}

std::uint64_t read_all(std::span<std::uint8_t const> bytes) {
  std::uint64_t mixed[32] = {}, words[32];
  for (std::size_t i = 0; i + sizeof words <= bytes.size(); i += sizeof words) {
    std::memcpy(words, bytes.data() + i, sizeof words);
    for (std::size_t k = 0; k < 32; ++k) mixed[k] ^= words[k];
  }
  std::uint64_t all = 0;
  for (std::uint64_t word : mixed) all ^= word;
  return all;
}

}  // namespace draftgauge::ingest
