#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <vector>

#include "sim/chance/chance.h"

namespace draftgauge {

/// The first `count` tokens by falling weight, of equal ones the smaller first. Domain: count ≤ their number.
template <std::ranges::random_access_range Row>
std::vector<Token> most_likely(Row const& weights, std::size_t count) {
  std::vector<Token> tokens(std::ranges::size(weights));
  std::iota(tokens.begin(), tokens.end(), Token{0});
  std::ranges::partial_sort(tokens, tokens.begin() + static_cast<std::ptrdiff_t>(count), [&](Token a, Token b) {
    return weights[a] != weights[b] ? weights[b] < weights[a] : a < b;
  });
  tokens.resize(count);
  return tokens;
}

}  // namespace draftgauge
