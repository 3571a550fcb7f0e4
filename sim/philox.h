#pragma once
#include <cstdint>

#include "sim/host_device.h"

namespace draftgauge {

/// Philox4x32-10: 128 random bits as a pure function of a 128-bit counter and a 64-bit key.
/// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), section 4.3.
struct Philox {
  struct Words {
    std::uint32_t word[4];
    friend bool operator==(Words const&, Words const&) = default;
  };
  struct Key {
    std::uint32_t word[2];
  };

  DRAFTGAUGE_HD static constexpr Words bits(Words counter, Key key) {
    for (int round = 0; round < 10; ++round) {
      std::uint64_t const left = std::uint64_t{0xD2511F53} * counter.word[0];
      std::uint64_t const right = std::uint64_t{0xCD9E8D57} * counter.word[2];
      counter = {{high(right) ^ counter.word[1] ^ key.word[0], low(right),
                  high(left) ^ counter.word[3] ^ key.word[1], low(left)}};
      key.word[0] += 0x9E3779B9;  // the golden ratio and √3 − 1, as Weyl steps of the key
      key.word[1] += 0xBB67AE85;
    }
    return counter;
  }

 private:
  DRAFTGAUGE_HD static constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
  DRAFTGAUGE_HD static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
};

}  // namespace draftgauge
