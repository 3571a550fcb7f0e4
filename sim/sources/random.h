#pragma once
#include <cstdint>

#include "sim/chance/philox.h"

namespace draftgauge {

/// Random bits for drawing laws, as a uniform random bit generator of the standard library's and Boost's kind. Each
/// law has a stream of its own, so that a source with more contexts keeps those it had.
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
      words_ =
          Philox::bits({{block, static_cast<std::uint32_t>(drawn_ / 2 >> 32), row_, stream_ << 8 | purpose}}, key_);
    }
    std::uint32_t const* const pair = words_.word + 2 * (drawn_++ % 2);
    return std::uint64_t{pair[0]} << 32 | pair[1];
  }

 private:
  /// A purpose that sim/chance/layout.h leaves free: with one seed, laws and rounds still read different bits.
  static constexpr std::uint32_t purpose = 255;

  Philox::Key key_;
  std::uint32_t row_, stream_;
  std::uint64_t drawn_ = 0;
  Philox::Words words_{};
};

}  // namespace draftgauge
