#pragma once
#include <cstdint>

#include "sim/chance/layout.h"

namespace draftgauge {

__extension__ typedef unsigned __int128 Uint128;

/// Is U < rest/den, for the uniform U whose 32-bit digits are `ties`? By long division, which executes no division:
/// with remainder r after each digit the question is whether r·2^32 − digit·den lies below 0 or from den upwards.
template <class Ties>
DRAFTGAUGE_SELDOM DRAFTGAUGE_HD bool ties_below(std::uint64_t rest, std::uint64_t den, Ties ties) {
  while (!ties.exhausted()) {
    Uint128 const scaled = Uint128{rest} << 32, passed = Uint128{ties.next()} * den;
    if (scaled <= passed) return false;
    if (scaled - passed >= den) return true;
    rest = static_cast<std::uint64_t>(scaled - passed);
  }
  return false;
}

/// Is U < num/den, for the uniform U whose binary digits are `bits` (the first `width` ≤ 32 of them) and then ties()?
/// Exact: further digits are drawn until they decide. There is no branch but for a tie, since no processor could
/// guess it. Domain: num, den < 2^64 (so that num·2^32 fits in 127 bits). Ties: next() and exhausted(), as
/// layout::TieWords has. They are made where digits tie. Of probability 0/0 the answer is yes: such a question may be
/// answered anyhow.
template <class MakeTies>
DRAFTGAUGE_HD inline bool uniform_below(std::uint64_t num, std::uint64_t den, std::uint32_t bits, int width,
                                        MakeTies const& ties) {
  Uint128 const rest =
      Uint128{num} * (std::uint64_t{1} << width) - Uint128{bits} * den;  // wraps where it is negative
  if (rest < den) [[unlikely]]
    return rest > 0 && ties_below(static_cast<std::uint64_t>(rest), den, ties());
  return static_cast<std::int64_t>(rest >> 64) >= 0;
}

/// Does what later digits, the pairs of `ties`, add to the 64-bit fraction of a product with n carry to the next
/// number?
template <class Ties>
DRAFTGAUGE_SELDOM DRAFTGAUGE_HD bool ties_carry(std::uint64_t n, std::uint64_t fraction, Ties ties) {
  while (fraction > ~n && !ties.exhausted()) {
    std::uint64_t const upper = ties.next();
    Uint128 const product = Uint128{upper << 32 | ties.next()} * n;
    std::uint64_t const carried = fraction + static_cast<std::uint64_t>(product >> 64);
    if (carried < fraction) return true;
    if (carried != ~std::uint64_t{0}) return false;
    fraction = static_cast<std::uint64_t>(product);
  }
  return false;
}

/// ⌊U·n⌋ for the uniform U whose 64-bit digits are `digit` and then pairs of words of ties(): uniform on 0…n−1,
/// exactly. Domain: 1 ≤ n ≤ 2^64 − 1. Later digits add less than n to the 64-bit fraction, so that most calls end at
/// once.
template <class MakeTies>
DRAFTGAUGE_HD inline std::uint64_t uniform_index(std::uint64_t n, std::uint64_t digit, MakeTies const& ties) {
  Uint128 const product = Uint128{digit} * n;
  std::uint64_t const index = static_cast<std::uint64_t>(product >> 64);
  std::uint64_t const fraction = static_cast<std::uint64_t>(product);
  if (fraction > ~n) [[unlikely]]
    return index + ties_carry(n, fraction, ties());
  return index;
}

}  // namespace draftgauge
