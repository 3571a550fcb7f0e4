#pragma once
#include <cstdint>

#include "sim/chance/layout.h"

namespace draftgauge {

/// Random bits for drawing laws, as a uniform random bit generator of the standard library's and Boost's kind. Each
/// law has a stream of its own, so that a source with more contexts keeps those it had. With one seed, laws and rounds
/// read different bits, as their purposes differ.
class LawRandom {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~std::uint64_t{0}; }

  /// row: of which context; stream: which of the row's laws.
  LawRandom(std::uint64_t seed, std::uint32_t row, std::uint32_t stream)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        row_(row),
        stream_(stream) {}

  result_type operator()() {
    if (drawn_ % 2 == 0) {
      auto const block = static_cast<std::uint32_t>(drawn_ / 2);
      words_ = Philox::bits(
          {{block, static_cast<std::uint32_t>(drawn_ / 2 >> 32), row_, stream_ << 8 | layout::source_law}}, key_);
    }
    return words_.pair(static_cast<std::uint32_t>(drawn_++ % 2));
  }

 private:
  Philox::Key key_;
  std::uint32_t row_, stream_;
  std::uint64_t drawn_ = 0;
  Philox::Words words_{};
};

}  // namespace draftgauge
