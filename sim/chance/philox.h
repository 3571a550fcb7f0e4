#pragma once
#include <cstdint>

#include "sim/base/host_device.h"

namespace draftgauge {

/// Philox4x32-10: 128 random bits as a pure function of a 128-bit counter and a 64-bit key.
/// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), section 4.3.
struct Philox {
  struct Words {
    std::uint32_t word[4];
    /// The i-th 64 bits of two, the earlier word high.
    DRAFTGAUGE_HD constexpr std::uint64_t pair(std::uint32_t i) const {
      return std::uint64_t{word[2 * i]} << 32 | word[2 * i + 1];
    }
    friend bool operator==(Words const&, Words const&) = default;
  };
  struct Key {
    std::uint32_t word[2];
  };

  /// The keys of the ten rounds, for those who draw many numbers with one key.
  struct Schedule {
    std::uint32_t first[10], second[10];

    DRAFTGAUGE_HD constexpr explicit Schedule(Key key) : first{}, second{} {
      for (int round = 0; round < 10; ++round) {
        first[round] = key.word[0] + static_cast<std::uint32_t>(round) * first_step;
        second[round] = key.word[1] + static_cast<std::uint32_t>(round) * second_step;
      }
    }
  };

  DRAFTGAUGE_HD static constexpr Words bits_by(Words counter, Schedule const& keys) {
    for (int round = 0; round < 10; ++round) counter = mixed(counter, keys.first[round], keys.second[round]);
    return counter;
  }
  /// (Not by a schedule: GCC would store it and load it again, which takes half as long again.)
  DRAFTGAUGE_HD static constexpr Words bits(Words counter, Key key) {
    for (int round = 0; round < 10; ++round) {
      counter = mixed(counter, key.word[0], key.word[1]);
      key.word[0] += first_step;
      key.word[1] += second_step;
    }
    return counter;
  }

 private:
  /// The golden ratio and √3 − 1: the key's Weyl steps from round to round.
  static constexpr std::uint32_t first_step = 0x9E3779B9, second_step = 0xBB67AE85;

  /// One round.
  DRAFTGAUGE_HD static constexpr Words mixed(Words counter, std::uint32_t first, std::uint32_t second) {
    std::uint64_t const left = product(0xD2511F53, counter.word[0]), right = product(0xCD9E8D57, counter.word[2]);
    return {{high(right) ^ counter.word[1] ^ first, low(right), high(left) ^ counter.word[3] ^ second, low(left)}};
  }
  DRAFTGAUGE_HD static constexpr std::uint64_t product(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) {
      std::uint64_t result = 0;  // one instruction, where of a 64-bit product nvcc makes two
      asm("mul.wide.u32 %0, %1, %2;" : "=l"(result) : "r"(a), "r"(b));
      return result;
    }
#endif
    return std::uint64_t{a} * b;
  }
  DRAFTGAUGE_HD static constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
  DRAFTGAUGE_HD static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
};

/// Uniform in [0, 1) where the bits are uniform: their first 53, a multiple of 2^−53.
DRAFTGAUGE_HD constexpr double unit_number(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

}  // namespace draftgauge
