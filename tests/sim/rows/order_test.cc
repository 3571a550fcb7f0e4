#include "sim/rows/order.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/rows/struck_law.h"
#include "tests/random.h"
#include "tests/sum.h"

namespace draftgauge {
namespace {

using Weights64 = std::vector<std::uint64_t>;

/// A row with its order, and the sums that the order is to replace, taken token by token in 128 bits.
struct Row {
  Weights64 p, q;
  RowOrders orders;
  RowGuides guides;

  Row(Weights64 weights_p, Weights64 weights_q)
      : p(std::move(weights_p)),
        q(std::move(weights_q)),
        orders(make_orders(p, q, vocab(), 1)),
        guides(orders.guides()) {}

  std::uint32_t vocab() const { return static_cast<std::uint32_t>(p.size()); }
  std::uint64_t total() const { return testing::sum(p); }
  SumPair weights(Token x) const { return {p[x], q[x]}; }
  RatioRow view() const { return {orders.order.data(), orders.sums.data(), vocab()}; }
  RatioRow guided() const { return {orders.order.data(), orders.sums.data(), vocab(), guides, 0}; }

  /// (a·P − b·Q)₊ of each token; a, b below 2^40.
  std::vector<Uint128> excess(std::uint64_t a, std::uint64_t b) const {
    std::vector<Uint128> all;
    for (Token x = 0; x < vocab(); ++x) all.push_back(draftgauge::excess(Uint128{a} * p[x], Uint128{b} * q[x]));
    return all;
  }
  /// (a·P − b·total)₊ of each token that q excludes.
  std::vector<Uint128> excess_of_rest(std::uint64_t a, std::uint64_t b) const {
    std::vector<Uint128> all;
    Uint128 const whole = Uint128{b} * total();
    for (Token x = 0; x < vocab(); ++x) all.push_back(q[x] > 0 ? 0 : draftgauge::excess(Uint128{a} * p[x], whole));
    return all;
  }
};

/// Weights that sum to `total`: of ratios of all sizes, with zeros, or all on one token.
Weights64 random_weights(testing::Random& random, std::uint32_t vocab, std::uint64_t total) {
  Weights64 weights(vocab, 0);
  if (random.below(8) == 0) {
    weights[random.below(vocab)] = total;
    return weights;
  }
  std::uint64_t left = total;
  for (Token x = 0; x + 1 < vocab; ++x) {
    weights[x] = random.below(3) == 0 ? 0 : random.magnitude(44) % (left / 2 + 1);
    left -= weights[x];
  }
  weights[vocab - 1] = left;
  std::ranges::rotate(weights, weights.begin() + static_cast<std::ptrdiff_t>(random.below(vocab)));
  return weights;
}

Row random_row(testing::Random& random, std::uint32_t vocab) {
  std::uint64_t const total = 1 + random.below(std::uint64_t{1} << (8 + random.below(45)));
  Weights64 p = random_weights(random, vocab, total);
  if (random.below(6) == 0) return {p, p};
  return {p, random_weights(random, vocab, total)};
}

/// p and q of which many tokens have one ratio, so that a·p and b·q are there the same but for rounding.
Row equal_ratios(testing::Random& random, std::uint32_t vocab) {
  std::uint64_t const p_part = 1 + random.below(9), q_part = 1 + random.below(9);
  Weights64 p(vocab), q(vocab);
  std::uint64_t sum_p = 0, sum_q = 0;
  for (Token x = 0; x < vocab; ++x) {
    std::uint64_t const size = 1 + random.magnitude(35);
    bool const other = random.below(8) == 0;
    sum_p += p[x] = size * (other ? q_part : p_part);
    sum_q += q[x] = size * (other ? p_part : q_part);
  }
  (sum_p < sum_q ? p : q)[0] += std::max(sum_p, sum_q) - std::min(sum_p, sum_q);
  return {p, q};
}

double as_double(Uint128 n) {
  return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(n >> 64)), 64) +
         static_cast<double>(static_cast<std::uint64_t>(n));
}

/// The law of the row against exact weights in units of 1/(unit·total): its sum, and which token each share belongs to.
template <class L>
void check_law(Row const& row, L const& law, std::vector<Uint128> const& exact, double unit, double a) {
  double const scale = unit * static_cast<double>(row.total());
  // Of each token, the shares of those that stand before it in the order.
  std::vector<Uint128> before(exact.size());
  Uint128 sum = 0;
  auto const view = row.view();
  for (std::uint32_t j = 0; j < row.vocab(); ++j) {
    Token const x = view.token(j);
    before[x] = sum;
    sum += exact[x];
  }
  double const off = 0x1p-50 * a;  // twice what the comment at ExcessLaw promises of its double arithmetic
  CHECK(std::abs(law.total() - as_double(sum) / scale) <= off);
  if (!(law.total() > 0)) return;
  for (double const u : {0.0, .1, .25, .5, .75, .9, 1 - 0x1p-53}) {
    Token const x = law.at(u);
    REQUIRE(x < row.vocab());
    CHECK(row.p[x] > 0);
    // The token's stretch holds the share but for rounding.
    double const low = as_double(before[x]) / scale, high = as_double(before[x] + exact[x]) / scale;
    CHECK(u * law.total() >= low - off);
    CHECK(u * law.total() <= high + off);
  }
}

void check_row(testing::Random& random, Row const& row) {
  auto const [least, most] = std::minmax_element(row.orders.order.begin(), row.orders.order.end());
  CHECK((*least == 0 && *most == row.vocab() - 1));
  for (std::uint32_t j = 0; j + 1 < row.vocab(); ++j) {
    Token const a = row.view().token(j), b = row.view().token(j + 1);
    REQUIRE(ratio_precedes(row.weights(a), a, row.weights(b), b));
  }
  auto const weights = [&](Token x) { return row.weights(x); };
  for (Token x = 0; x < std::min(row.vocab(), 50u); ++x) {
    CHECK(row.view().token(row.view().place_of(x, weights)) == x);
    CHECK(row.guided().place_of(x, weights) == row.view().place_of(x, weights));
  }
  constexpr double unit = 1 << 20;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs = {
      {1 << 20, 1 << 20}, {1 << 20, 0}, {0, 1 << 20}, {0, 0}};
  for (int i = 0; i < 6; ++i) pairs.emplace_back(random.magnitude(22), random.magnitude(22));
  // The boundary itself: b/a is a token's p/q, so that its excess is exactly 0.
  for (int i = 0; i < 4; ++i)
    if (SumPair const w = row.weights(static_cast<Token>(random.below(row.vocab()))); w.p < 1 << 30 && w.q < 1 << 30)
      pairs.emplace_back(w.q, w.p);
  for (auto const& [a, b] : pairs) {
    double const x = static_cast<double>(a) / unit, y = static_cast<double>(b) / unit;
    CAPTURE(a, b, row.vocab(), row.total());
    check_law(row, ExcessLaw<Against::draft>(row.view(), x, y), row.excess(a, b), unit, x);
    check_law(row, ExcessLaw<Against::rest>(row.view(), x, y), row.excess_of_rest(a, b), unit, x);
  }
}

}  // namespace

TEST_CASE("rows by ratio: an excess is the sum over all tokens, on random rows with zeros, ties and single tokens") {
  testing::Random random(11);
  for (int i = 0; i < 1500; ++i) {
    std::uint32_t const vocab = static_cast<std::uint32_t>(1 + random.below(i % 3 == 0 ? 3 : 40));
    check_row(random, random_row(random, vocab));
  }
}

// A guided search has to come to the same place as one of the whole row, and where roundings make a statement neither
// stay true nor false, by the same way: what is drawn depends on it. So ratios are at tokens' own, and beside them.
void check_guides(testing::Random& random, Row const& row, std::uint32_t vocab) {
  std::vector<std::pair<double, double>> pairs = {{0, 0},      {1, 0},           {0, 1},          {1, 1e-300},
                                                  {1e-300, 1}, {5e-324, 5e-324}, {1e-310, 3e-311}};
  for (int j = 0; j < 40; ++j) {
    SumPair const w = row.weights(static_cast<Token>(random.below(vocab)));
    double const p = static_cast<double>(w.p), q = static_cast<double>(w.q);
    for (double const step : {1 - 0x1p-52, 1 - 0x1p-53, 1.0, 1 + 0x1p-52})
      if (p > 0 && q > 0) pairs.insert(pairs.end(), {{1, p / q * step}, {q / p * step, 1}, {q * .3, p * .3 * step}});
    pairs.emplace_back(1, std::ldexp(1 + random.uniform(), static_cast<int>(random.below(24)) - 12));
  }
  for (auto const& [a, b] : pairs) {
    ExcessLaw<Against::draft> const whole(row.view(), a, b), guided(row.guided(), a, b);
    CAPTURE(a, b, vocab);
    REQUIRE(guided.total() == whole.total());
    REQUIRE(guided.places() == whole.places());
  }
  Children struck;
  for (std::uint64_t k = random.below(std::min(vocab, 4u)); k > 0; --k)
    struck.add(static_cast<Token>(random.below(vocab)));
  auto const weights = [&](Token x) { return row.weights(x); };
  auto const check = [&](auto const& whole, auto const& guided) {
    REQUIRE(guided.total() == whole.total());
    std::uint64_t apart = 0;
    auto const compare = [&](std::uint64_t n) { apart += n < whole.total() && guided.at(n) != whole.at(n); };
    for (int j = 0; j < 40 && whole.total() > 0; ++j)
      compare(j == 0 ? 0 : j == 1 ? whole.total() - 1 : random.below(whole.total()));
    for (std::uint32_t j = 0; j < vocab; ++j)  // the ends of tokens' stretches
      for (std::uint64_t const n : {row.view().sums(j + 1).q - 1, row.view().sums(j + 1).q}) compare(n);
    REQUIRE(apart == 0);
  };
  check(StruckLaw<&SumPair::q>(row.view(), struck, struck.count, weights),
        StruckLaw<&SumPair::q>(row.guided(), struck, struck.count, weights));
  check(StruckLaw<&SumPair::p>(row.view(), struck, struck.count, weights),
        StruckLaw<&SumPair::p>(row.guided(), struck, struck.count, weights));
}

TEST_CASE("rows by ratio: guides do not change an answer") {
  testing::Random random(15);
  for (int i = 0; i < 600; ++i) {
    std::uint32_t const vocab = static_cast<std::uint32_t>(1 + random.below(i % 50 == 0 ? 3000 : 60));
    check_guides(random, i % 4 == 0 ? equal_ratios(random, vocab) : random_row(random, vocab), vocab);
  }
}

TEST_CASE("rows by ratio: 262144 tokens") {
  constexpr std::uint32_t vocab = 262144;
  testing::Random random(12);
  Weights64 p(vocab), q(vocab), one_hot(vocab);
  for (std::size_t x = 0; x < p.size(); ++x) {
    p[x] = random.magnitude(34);
    q[x] = x % 5 == 0 ? 0 : random.magnitude(34);
  }
  std::uint64_t const sum_p = testing::sum(p), sum_q = testing::sum(q);
  (sum_p < sum_q ? p : q)[7] += std::max(sum_p, sum_q) - std::min(sum_p, sum_q);
  one_hot[7] = std::max(sum_p, sum_q);
  check_row(random, {p, q});
  for (Row const& row : {Row{p, q}, Row{p, p}, Row{one_hot, q}, Row{p, one_hot}, Row{one_hot, one_hot}})
    check_guides(random, row, vocab);
}

TEST_CASE("rows by ratio: ratios that doubles cannot tell apart are told apart") {
  // 2^52/(2^52 − 1) and (2^52 − 1)/(2^52 − 2) differ by 2^-104.
  std::uint64_t const n = std::uint64_t{1} << 52;
  Row const row({n - 1, n, 0, n - 5}, {n - 2, n - 1, n - 6, 3});
  CHECK(row.view().token(0) == 3);
  CHECK(row.view().token(1) == 0);
  CHECK(row.view().token(2) == 1);
  CHECK(row.view().token(3) == 2);
}

TEST_CASE("rows by ratio: struck tokens are never drawn, and the others hold as many numbers as their weight") {
  testing::Random random(13);
  for (int i = 0; i < 400; ++i) {
    std::uint32_t const vocab = static_cast<std::uint32_t>(2 + random.below(12));
    Weights64 p(vocab), q(vocab);
    for (int n = 0; n < 60; ++n) {
      ++p[random.below(vocab)];
      ++q[random.below(1 + vocab / 2)];
    }
    Row const row(p, q);
    Children struck;
    for (std::uint64_t k = random.below(std::min(vocab, 6u)); k > 0; --k)
      struck.add(static_cast<Token>(random.below(vocab)));
    auto const check = [&](auto const& law, Weights64 left) {
      for (int k = 0; k < struck.count; ++k) left[struck.token[k]] = 0;
      REQUIRE(law.total() == testing::sum(left));
      Weights64 held(vocab);
      for (std::uint64_t n = 0; n < law.total(); ++n) ++held[law.at(n)];
      CHECK(held == left);
    };
    auto const weights = [&](Token x) { return row.weights(x); };
    check(StruckLaw<&SumPair::p>(row.view(), struck, struck.count, weights), p);
    check(StruckLaw<&SumPair::q>(row.view(), struck, struck.count, weights), q);
  }
}

TEST_CASE(
    "rows by ratio: orders do not depend on threads; tops are the most likely tokens, the smaller of equals first") {
  testing::Random random(14);
  Weights64 p(40 * 17), q(40 * 17);
  for (auto* side : {&p, &q})
    for (std::uint64_t& w : *side) w = random.below(9);
  RowOrders const one = make_orders(p, q, 17, 1), four = make_orders(p, q, 17, 4);
  CHECK(std::ranges::equal(one.order, four.order));
  CHECK(std::ranges::equal(one.sums, four.sums, [](SumPair a, SumPair b) { return a.p == b.p && a.q == b.q; }));
  for (auto member : {&RowOrders::places, &RowOrders::shares}) CHECK(std::ranges::equal(one.*member, four.*member));
  RowGuides const guides = one.guides();
  for (std::uint32_t row = 0; row < 40; ++row) {
    RatioRow const view(one.order.data() + row * 17, one.sums.data() + row * 18, 17, guides, row);
    Weights64 const row_p(p.begin() + row * 17, p.begin() + row * 17 + 17),
        row_q(q.begin() + row * 17, q.begin() + row * 17 + 17);
    for (std::uint32_t j = 0; j < 17; ++j) CHECK(view.place_of(view.token(j), [](Token) { return SumPair(); }) == j);
    Row const alone(row_p, row_q);
    for (std::uint64_t n = 0; n < view.sums(17).q; ++n) {
      Stretch const near = view.near_number(n), same = alone.guided().near_number(n);
      REQUIRE((near.first == same.first && near.count == same.count));
    }
    for (double const b : {0., .1, .5, 1., 1.3, 2., 7., 1e9})
      CHECK(view.near_ratio(1, b).first == alone.guided().near_ratio(1, b).first);
  }
  CHECK(make_tops(Weights64{1, 5, 5, 0, 2, 2, 2, 9}, 4, 3) == std::vector<Token>{1, 2, 0, 3, 0, 1});
}

}  // namespace draftgauge
