#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/recordings/rows.h"
#include "sim/recordings/sampling_parameters.h"
#include "tests/random.h"

namespace draftgauge::testing {

/// Rows in memory.
class Matrix : public RowBytes {
 public:
  Matrix(std::vector<double> numbers, std::uint64_t vocab)
      : RowBytes({Encoding::f64, numbers.size() / vocab, vocab}), numbers_(std::move(numbers)) {}
  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    return {reinterpret_cast<std::uint8_t const*>(numbers_.data() + begin * layout().vocab),
            count * layout().row_bytes()};
  }

 private:
  std::vector<double> numbers_;
};

inline constexpr std::size_t rows_vocab = 32;

/// Logits of two models, and a text in two sequences that `writer` wrote of the target's.
struct Rows {
  std::vector<double> target, draft;
  std::vector<std::int64_t> tokens;

  Rows(SamplingParameters const& writer, std::size_t length, std::uint32_t seed) {
    Random random(seed);
    std::vector<double> z(rows_vocab), p(rows_vocab);
    for (std::size_t t = 0; t < length; ++t) {
      for (double& x : z) x = -2 * std::log(-std::log(random.inner_uniform()));
      target.insert(target.end(), z.begin(), z.end());
      truncate(writer, z, p);
      double left = random.inner_uniform();
      std::size_t x = 0;
      while (x + 1 < rows_vocab && (left -= p[x]) > 0) ++x;
      tokens.push_back(static_cast<std::int64_t>(x));
      for (double& each : z)
        each += 2 * (random.inner_uniform() - .5) - 1.5 * std::log(-std::log(random.inner_uniform()));
      draft.insert(draft.end(), z.begin(), z.end());
    }
  }
  RowPairs pairs() const {
    RowPairs pairs;
    pairs.target = std::make_unique<Matrix>(target, rows_vocab);
    pairs.draft = std::make_unique<Matrix>(draft, rows_vocab);
    pairs.tokens = tokens;
    auto const half = static_cast<std::uint32_t>(tokens.size() / 2);
    pairs.sequences = {half, static_cast<std::uint32_t>(tokens.size()) - half};
    pairs.names = {0, 1};
    return pairs;
  }
};

}  // namespace draftgauge::testing
