#pragma once
#include "sim/chance/chance.h"
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// How a program compares its coin r with an acceptance probability.
enum class Compare { below, at_most };

inline constexpr ParameterCard coin_bits{
    .name = "coin",
    .meaning = "bits of the uniform number that the program draws; 0: a real number",
    .standard = {0, 1},
    .least = {0, 1},
    .most = {11, 1},
    .whole = true};

/// Whether r is below (or at most) min(1, num/den), r being uniform on the multiples of 2^-bits in [0, 1), as random
/// number generators of programs have it; bits = 0: on all of [0, 1). Up to 11 bits, so that the integers fit: a number
/// num < den ≤ 2^53 times 2^11.
template <class Chance, class Weight>
DRAFTGAUGE_HD bool coin_accepts(Chance& chance, Ratio const& bits, Compare compare, Weight const& num,
                                Weight const& den) {
  if (bits.num == 0) return chance.flip(num, den);
  std::uint32_t const steps = 1u << bits.num;
  Token const drawn = chance.pick(Uniform{steps});
  if (!(num < den)) return true;
  Weight const r = Weight(drawn) * den, limit = num * Weight(steps);
  return compare == Compare::below ? r < limit : !(limit < r);
}

/// The token rule as a loop of programs, over a chain: drafts are counted up until a coin rejects one.
template <Compare compare>
struct CoinLoop {
  static constexpr ParameterCard parameters[] = {coin_bits};
  static constexpr Shape shape = Shape::tree;

  explicit constexpr CoinLoop(Parameters const& values) : coin(values.value[0]) {}

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    std::uint32_t n = 0;
    for (; draft.child(n); n = draft.child(n)) {
      auto const node = draft.at(n);
      Token const x = draft.token_after(n);
      if (!coin_accepts(chance, coin, compare, node.p(x), node.q(x))) return {n, chance.pick(node.residual())};
    }
    return {n, chance.pick(draft.at(n).target())};
  }

  constexpr bool equals(As<TokenRule>, int) const { return coin.num == 0; }
  constexpr bool lossless(bool) const { return coin.num == 0; }

  Ratio coin;
};

}  // namespace draftgauge::rules
