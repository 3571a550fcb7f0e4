#include "sim/chance/alias.h"

#include <algorithm>
#include <bit>

#include "sim/chance/decide.h"

namespace draftgauge {
namespace {

/// The method itself, in integers that hold weight · 2^bits. The lists of poor and rich buckets are never made: both
/// are met in ascending order, but for a giver that has become poor, which is always the next taker.
template <class Integer>
void fill(std::span<std::uint64_t const> weights, std::uint64_t total, int bits, std::span<AliasEntry> out) {
  std::size_t const buckets = out.size();
  auto const is_rich = [&](std::size_t x) { return x < weights.size() && Integer{weights[x]} << bits >= total; };
  auto const is_poor = [&](std::size_t x) { return !is_rich(x); };
  auto const next = [&](std::size_t x, auto const& wanted) {
    while (x < buckets && !wanted(x)) ++x;
    return x;
  };
  std::size_t giver = next(0, is_rich), taker = next(0, is_poor);
  Integer left = Integer{weights[giver]} << bits;  // a total above 0 makes one token rich at least
  while (giver < buckets && taker < buckets) {
    std::uint64_t const own = taker < weights.size() ? weights[taker] << bits : 0;
    out[taker] = {own, static_cast<Token>(giver)};
    left -= total - own;
    taker = next(taker + 1, is_poor);
    while (left < total) {
      std::size_t const poor = giver;
      giver = next(giver + 1, is_rich);
      if (giver == buckets) break;
      out[poor] = {static_cast<std::uint64_t>(left), static_cast<Token>(giver)};
      left = (Integer{weights[giver]} << bits) - (total - left);
    }
  }
  // In integers nothing is lost to rounding: what remains is exactly full.
  for (; giver < buckets; giver = next(giver + 1, is_rich)) out[giver] = {total, static_cast<Token>(giver)};
}

}  // namespace

int alias_bits(std::uint32_t vocab) { return vocab <= 1 ? 0 : std::bit_width(vocab - 1); }

void build_alias(std::span<std::uint64_t const> weights, std::uint64_t total, int bits, std::span<AliasEntry> out) {
  if (total == 0) {
    for (std::size_t x = 0; x < out.size(); ++x) out[x] = {0, static_cast<Token>(x)};
  } else if ((std::ranges::max(weights) >> 1 >> (63 - bits)) == 0) {
    fill<std::uint64_t>(weights, total, bits, out);
  } else {
    fill<Uint128>(weights, total, bits, out);
  }
}

}  // namespace draftgauge
