#include "sim/rows/order.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/for_rows.h"

namespace draftgauge {
namespace {

/// A token's weights with their quotient: rounding keeps the order of quotients, so that few pairs need 128 bits.
struct Place {
  double ratio;
  SumPair weights;
  Token token;

  friend bool operator<(Place const& a, Place const& b) {
    return a.ratio != b.ratio ? a.ratio > b.ratio : ratio_precedes(a.weights, a.token, b.weights, b.token);
  }
};

Place place(Token x, SumPair const& weights) {
  double const ratio = weights.p == 0   ? 0
                       : weights.q == 0 ? std::numeric_limits<double>::infinity()
                                        : static_cast<double>(weights.p) / static_cast<double>(weights.q);
  return {ratio, weights, x};
}

}  // namespace

RowOrders make_orders(std::span<std::uint64_t const> p, std::span<std::uint64_t const> q, std::uint32_t vocab,
                      int threads) {
  std::size_t const rows = p.size() / vocab;
  RowOrders all;
  all.order.resize(p.size());
  all.sums.resize(rows * (std::size_t{vocab} + 1));
  for_rows(rows, threads, [&] {
    return [&, places = std::vector<Place>(vocab)](std::uint64_t row) mutable {
      std::size_t const first = row * vocab;
      for (Token x = 0; x < vocab; ++x) places[x] = place(x, {p[first + x], q[first + x]});
      std::ranges::sort(places, std::less<>());
      SumPair* const sums = all.sums.data() + row * (std::size_t{vocab} + 1);
      sums[0] = {};
      for (std::uint32_t j = 0; j < vocab; ++j) {
        all.order[first + j] = places[j].token;
        sums[j + 1] = {sums[j].p + places[j].weights.p, sums[j].q + places[j].weights.q};
      }
    };
  });
  return all;
}

std::vector<Token> make_tops(std::span<std::uint64_t const> q, std::uint32_t vocab, std::uint32_t count) {
  std::vector<Token> all, tokens(vocab);
  for (std::size_t first = 0; first < q.size(); first += vocab) {
    std::iota(tokens.begin(), tokens.end(), Token{0});
    std::ranges::partial_sort(tokens, tokens.begin() + count, [&](Token a, Token b) {
      return q[first + a] != q[first + b] ? q[first + a] > q[first + b] : a < b;
    });
    all.insert(all.end(), tokens.begin(), tokens.begin() + count);
  }
  return all;
}

}  // namespace draftgauge
