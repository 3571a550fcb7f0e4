#pragma once
#include "sim/chance/philox.h"

namespace draftgauge::testing {

/// Test data: the same numbers on every machine, from Philox itself (which is tested by its published words).
class Random {
 public:
  explicit Random(std::uint32_t seed) : key_{{seed, 0x7e57}} {}

  std::uint32_t word() { return Philox::bits({{count_++, 0, 0, 0}}, key_).word[0]; }
  double uniform() { return word() * 0x1p-32; }               ///< in [0, 1)
  double inner_uniform() { return (word() + .5) * 0x1p-32; }  ///< in (0, 1)
  std::uint64_t word64() { return std::uint64_t{word()} << 32 | word(); }
  /// 0…n−1, near enough to uniform for test data. Domain: n ≥ 1.
  std::uint64_t below(std::uint64_t n) { return word64() % n; }
  /// Of any size up to 2^bits − 1, each number of bits being equally likely.
  std::uint64_t magnitude(int bits) {
    std::uint64_t const size = below(static_cast<std::uint64_t>(bits) + 1);
    return size == 0 ? 0 : word64() >> (64 - size);
  }

 private:
  Philox::Key key_;
  std::uint32_t count_ = 0;
};

}  // namespace draftgauge::testing
