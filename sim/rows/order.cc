#include "sim/rows/order.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "sim/base/for_rows.h"
#include "sim/rows/most_likely.h"

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

/// Where each share of q begins, and one more: at the first token whose last number lies in it or beyond.
void guide_shares(std::span<SumPair const> sums, std::span<std::uint32_t> shares) {
  std::uint32_t const vocab = static_cast<std::uint32_t>(sums.size()) - 1;
  std::size_t done = 0;
  for (std::uint32_t j = 0; j < vocab; ++j)
    if (std::uint64_t const to = sums[j + 1].q; to > sums[j].q)
      for (std::uint32_t const last = RowGuides::share(to - 1, sums[vocab].q, vocab); done <= last;)
        shares[done++] = j;
  std::ranges::fill(shares.subspan(done), vocab - 1);
}

/// What bisection comes down to for the ratios of each class: it is played as far as no ratio of the class could
/// change its course, with room for roundings (b/a, a·p, b·q and p/q are each off by 2^-53 of themselves at most).
void guide_ratios(std::span<Place const> places, int bits, std::span<Stretch> ratios) {
  std::uint32_t const vocab = static_cast<std::uint32_t>(places.size());
  std::uint32_t above = vocab, from = vocab;  // tokens whose p/q is above every ratio of the class, or not below each
  for (std::uint32_t i = 0; i < ratios.size(); ++i) {
    double const least = i == 0 ? 0 : RowGuides::least_ratio(i, bits) * (1 - 0x1p-49);
    double const beyond = RowGuides::least_ratio(i + 1, bits) * (1 + 0x1p-49);
    while (from > 0 && places[from - 1].ratio < least) --from;
    while (above > 0 && !(places[above - 1].ratio > beyond)) --above;
    if (i + 1 == ratios.size()) above = 0;  // infinity is of the last class
    Stretch left{0, vocab};
    while (left.count > 0) {
      std::uint32_t const half = left.count / 2, probe = left.first + half;
      if (probe >= above && probe < from) break;
      left = probe < above ? Stretch{probe + 1, left.count - half - 1} : Stretch{left.first, half};
    }
    ratios[i] = left;
  }
}

}  // namespace

RowOrders make_orders(std::span<std::uint64_t const> p, std::span<std::uint64_t const> q, std::uint32_t vocab,
                      int threads) {
  std::size_t const rows = p.size() / vocab;
  RowOrders all;
  all.order.resize(p.size());
  all.sums.resize(rows * (std::size_t{vocab} + 1));
  all.ratio_bits = RowGuides::bits_for(vocab);
  std::size_t const shares = RowGuides::share_count(vocab) + 1, ratios = RowGuides::ratio_count(all.ratio_bits);
  all.places.resize(p.size());
  all.shares.resize(rows * shares);
  all.ratios.resize(rows * ratios);
  for_rows(rows, threads, [&] {
    return [&, places = std::vector<Place>(vocab)](std::uint64_t row) mutable {
      std::size_t const first = row * vocab;
      for (Token x = 0; x < vocab; ++x) places[x] = place(x, {p[first + x], q[first + x]});
      std::ranges::sort(places, std::less<>());
      SumPair* const sums = all.sums.data() + row * (std::size_t{vocab} + 1);
      sums[0] = {};
      for (std::uint32_t j = 0; j < vocab; ++j) {
        all.order[first + j] = places[j].token;
        all.places[first + places[j].token] = j;
        sums[j + 1] = {sums[j].p + places[j].weights.p, sums[j].q + places[j].weights.q};
      }
      guide_shares({sums, std::size_t{vocab} + 1}, std::span(all.shares).subspan(row * shares, shares));
      guide_ratios(places, all.ratio_bits, std::span(all.ratios).subspan(row * ratios, ratios));
    };
  });
  return all;
}

std::vector<Token> make_tops(std::span<std::uint64_t const> q, std::uint32_t vocab, std::uint32_t count) {
  std::vector<Token> all;
  for (std::size_t first = 0; first < q.size(); first += vocab)
    std::ranges::copy(most_likely(q.subspan(first, vocab), count), std::back_inserter(all));
  return all;
}

}  // namespace draftgauge
