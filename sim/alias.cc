#include "sim/alias.h"

#include <bit>

#include "sim/decide.h"

namespace draftgauge {

int alias_bits(std::uint32_t vocab) { return vocab <= 1 ? 0 : std::bit_width(vocab - 1); }

void build_alias(std::span<std::uint64_t const> weights, std::uint64_t total, int bits, std::span<AliasEntry> out) {
  std::size_t const buckets = std::size_t{1} << bits;
  std::vector<Uint128> left(buckets, 0);
  for (std::size_t x = 0; x < weights.size(); ++x) left[x] = Uint128{weights[x]} << bits;
  std::vector<Token> poor, rich;
  for (std::size_t x = buckets; x-- > 0;) (left[x] < total ? poor : rich).push_back(static_cast<Token>(x));
  while (!poor.empty() && !rich.empty()) {
    Token const giver = rich.back();
    Token const taker = poor.back();
    poor.pop_back();
    out[taker] = {static_cast<std::uint64_t>(left[taker]), giver};
    left[giver] -= total - left[taker];
    if (left[giver] < total) {
      rich.pop_back();
      poor.push_back(giver);
    }
  }
  // In integers nothing is lost to rounding: what remains is exactly full (or, for a total of 0, exactly empty).
  for (Token x : rich) out[x] = {total, x};
  for (Token x : poor) out[x] = {total, x};
}

}  // namespace draftgauge
