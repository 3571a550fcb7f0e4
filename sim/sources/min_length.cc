#include <algorithm>

#include "sim/sources/memory.h"

namespace draftgauge {
namespace {

constexpr int shown_by = 4;            // tokens, of texts that may end at once
constexpr std::uint64_t longest = 62;  // two more than its tokens are compared, and tokens jointly are at most 64

Source build_min_length(Keys const& keys, SourceOptions const& options) {
  return source_with_memory(keys, options, [&](std::uint32_t vocab) {
    std::uint32_t const least = keys.count32("tokens");
    Memory memory{.next = {}, .process = {}, .end = token_of(keys, "end", vocab)};
    // An end that came too soon or too late, and one that another token follows.
    memory.tokens = std::max(shown_by, static_cast<int>(least) + 2);
    for (std::uint32_t state = 0; state <= least; ++state)
      memory.next.insert(memory.next.end(), vocab, std::min(state + 1, least));
    memory.process = [least, end = *memory.end](std::uint32_t state, TokenWeights& weights) {
      if (state < least) weights[end] = {0, Fraction(0)};
    };
    return memory;
  });
}

}  // namespace

SourceCard min_length_source() {
  return {.name = "min-length",
          .summary = "a target that may not end its text before so many tokens",
          .tables = "p without the token that ends a text while the text has fewer tokens, renormalised",
          .keys = memory_keys({end_key(true),
                               {.name = "tokens",
                                .kind = KeyCard::Kind::count,
                                .meaning = "of a text before it may end",
                                .standard = "3",
                                .least = 0,
                                .most = longest}}),
          .build = build_min_length};
}

}  // namespace draftgauge
