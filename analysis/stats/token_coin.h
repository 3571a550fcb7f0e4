#pragma once
#include <cstdint>

#include "sim/chance/layout.h"

namespace draftgauge {

/// Uniform numbers in [0, 1), one a token, as a function of (seed, run): multiples of 2^−53, two to a Philox call.
class TokenCoins {
 public:
  TokenCoins(std::uint64_t seed, std::uint64_t run) : seed_(seed), run_(run) {}

  double next() {
    if (count_ % 2 == 0) words_ = layout::Address::of(seed_, run_, count_ / 2).words(layout::replayed, 0);
    return unit_number(words_.pair(count_++ % 2));
  }

 private:
  std::uint64_t seed_, run_;
  std::uint32_t count_ = 0;
  Philox::Words words_{};
};

/// Which of `count` shares, laid end to end from 0, holds the number; `count` where it is beyond them. each(i) is the
/// i-th.
template <class Share>
std::uint32_t share_holding(double number, std::uint32_t count, Share const& each) {
  std::uint32_t i = 0;
  while (i < count && number >= each(i)) number -= each(i++);
  return i;
}

}  // namespace draftgauge
