#pragma once
#include <cstdint>

#include "sim/layout.h"

namespace draftgauge {

__extension__ typedef unsigned __int128 Uint128;

/// Is U < num/den, for the uniform U whose binary digits are `bits` (the first `width` ≤ 32 of them) and then `ties`?
/// Exact long division: digits are drawn until they decide. No division is executed, since with remainder r after each
/// step the question is whether r·2^width − bits·den lies below 0 or from den upwards.
/// Domain: num, den < 2^64 (so that num·2^32 fits in 128 bits). Ties: next() and exhausted(), as layout::TieWords has.
template <class Ties = layout::TieWords>
DRAFTGAUGE_HD bool uniform_below(std::uint64_t num, std::uint64_t den, std::uint32_t bits, int width, Ties ties) {
  if (num >= den) return true;  // also 0/0: a question of probability 0 may be answered anyhow
  for (;;) {
    Uint128 const scaled = Uint128{num} << width;
    Uint128 const passed = Uint128{bits} * den;
    if (scaled <= passed) return false;
    Uint128 const rest = scaled - passed;
    if (rest >= den) return true;
    if (ties.exhausted()) return false;
    num = static_cast<std::uint64_t>(rest);
    bits = ties.next();
    width = 32;
  }
}

/// ⌊U·n⌋ for the uniform U whose 64-bit digits are `digit` and then pairs of tie words: uniform on 0…n−1, exactly.
/// Domain: 1 ≤ n ≤ 2^64 − 1. Later digits add less than n to the 64-bit fraction, so that most calls end at once.
template <class Ties = layout::TieWords>
DRAFTGAUGE_HD std::uint64_t uniform_index(std::uint64_t n, std::uint64_t digit, Ties ties) {
  Uint128 product = Uint128{digit} * n;
  std::uint64_t const index = static_cast<std::uint64_t>(product >> 64);
  std::uint64_t fraction = static_cast<std::uint64_t>(product);
  while (fraction > ~n && !ties.exhausted()) {
    std::uint64_t const upper = ties.next();
    product = Uint128{upper << 32 | ties.next()} * n;
    std::uint64_t const carried = fraction + static_cast<std::uint64_t>(product >> 64);
    if (carried < fraction) return index + 1;
    if (carried != ~std::uint64_t{0}) return index;
    fraction = static_cast<std::uint64_t>(product);
  }
  return index;
}

}  // namespace draftgauge
