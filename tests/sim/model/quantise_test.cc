#include "sim/model/quantise.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "sim/base/error.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"
#include "tests/sum.h"

namespace draftgauge {
namespace {

TEST_CASE("shares are the proportional ones rounded to the largest remainders") {
  using Shares = std::vector<std::uint64_t>;
  CHECK(apportion(std::vector{1.0, 1.0, 1.0}, 10) == Shares{4, 3, 3});
  CHECK(apportion(std::vector{5.0, 3.0, 1.0, 1.0}, 7) == Shares{3, 2, 1, 1});
  CHECK(apportion(std::vector{0.0, 2.0, 0.0}, 9) == Shares{0, 9, 0});
  CHECK(apportion(std::vector{1.0, 2.0}, 0) == Shares{0, 0});
  CHECK(apportion(std::vector{0.25, 0.25, 0.5}, quantised_total) ==
        Shares{quantised_total / 4, quantised_total / 4, quantised_total / 2});
}

TEST_CASE("shares sum to the total, zeros stay zero, and none is off by more than one") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::size_t const vocab = 1 + random() % (trial % 10 == 0 ? 30000 : 40);
    std::vector<double> weights(vocab);
    // From laws near uniform to such with tails of 1e-300, zeros among them.
    for (double& w : weights)
      w = random() % 5 == 0 ? 0 : std::pow(2.0, -static_cast<double>(random() % 1000) * (trial % 3) / 2);
    weights[random() % vocab] = 1;
    std::uint64_t const total = trial % 2 ? quantised_total : 1 + random() % 1000;
    auto const shares = apportion(weights, total);
    REQUIRE(testing::sum(shares) == total);
    long double whole = 0;
    for (double w : weights) whole += w;
    for (std::size_t x = 0; x < vocab; ++x) {
      if (weights[x] == 0) REQUIRE(shares[x] == 0);
      long double const ideal = weights[x] / whole * total;
      REQUIRE(std::abs(static_cast<long double>(shares[x]) - ideal) < 1.01L);
    }
  }
}

/// The method of largest remainders as it is told: all remainders sorted.
std::vector<std::uint64_t> sorted_shares(std::vector<double> const& weights, std::uint64_t total) {
  double const sum = testing::sum(weights);
  std::vector<std::uint64_t> shares(weights.size());
  std::vector<std::pair<double, std::size_t>> order;  // the largest remainder first, of equal ones the lower index
  for (std::size_t x = 0; x < weights.size(); ++x) {
    double const share = weights[x] / sum * static_cast<double>(total);
    shares[x] = static_cast<std::uint64_t>(std::floor(share));
    if (weights[x] > 0) order.emplace_back(std::floor(share) - share, x);
  }
  std::ranges::sort(order);
  std::uint64_t const left = total - testing::sum(shares);
  for (std::uint64_t i = 0; i < left; ++i) ++shares[order[i].second];
  return shares;
}

TEST_CASE("shares are those of sorted remainders, ties and zeros included") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 600; ++trial) {
    std::vector<double> weights(1 + random() % (trial % 20 == 0 ? 20000 : 30));
    // Small integers: exact sums, and many equal remainders. In every other trial also shares far below 1.
    for (double& w : weights)
      w = static_cast<double>(random() % (trial % 3 ? 7 : 100000)) * (trial % 2 && random() % 2 ? 0x1p-30 : 1);
    weights[random() % weights.size()] = 3;
    std::uint64_t const total = trial % 4 ? quantised_total : 1 + random() % 5000;
    REQUIRE(apportion(weights, total) == sorted_shares(weights, total));
  }
}

TEST_CASE("rows made on threads are those added one by one, and so is their rounding") {
  constexpr std::uint32_t vocab = 100, count = 37;
  auto const write = [](std::uint64_t row, std::span<double> p, std::span<double> q) {
    std::mt19937_64 random(row);
    for (double& w : p) w = static_cast<double>(random() >> 40);
    for (double& w : q) w = std::pow(2.0, -static_cast<double>(random() % 60));
  };
  RowList one_by_one;
  std::vector<double> p(vocab), q(vocab);
  for (std::uint32_t row = 0; row < 2 * count; ++row) {
    write(row % count, p, q);
    one_by_one.add(p, q);
  }
  for (int threads : {1, 2, 5, 64}) {
    RowList rows;
    for (int part = 0; part < 2; ++part) rows.add_rows(count, vocab, threads, [&] { return write; });
    CHECK(rows.rows().vocab == vocab);
    CHECK(rows.rows().p == one_by_one.rows().p);
    CHECK(rows.rows().q == one_by_one.rows().q);
    CHECK(rows.rows().totals == one_by_one.rows().totals);
    CHECK(rows.rounding().max_tv == one_by_one.rounding().max_tv);
    CHECK(rows.rounding().mean_tv == one_by_one.rounding().mean_tv);
    CHECK(rows.rounding().vanished == one_by_one.rounding().vanished);
  }
  CHECK(one_by_one.rounding().vanished > 0);
}

TEST_CASE("the rounding of a row is measured") {
  RowList rows;
  rows.add_exact({{1, 0}, {0, 1}, 1});
  CHECK(rows.rounding().exact());
  // Over 4, thirds become 2, 1, 1: TV = (|1/3 − 1/2| + 2·|1/3 − 1/4|)/2 = 1/6.
  rows.add({{2, 1, 1}, {4, 0, 0}, 4}, std::vector{1.0, 1.0, 1.0}, std::vector{1.0, 1e-30, 0.0});
  CHECK(rows.rounding().max_tv == Approx(1.0 / 6));
  CHECK(rows.rounding().mean_tv == Approx(1.0 / 24));
  CHECK(rows.rounding().vanished == 1);
  RowList fine;
  fine.add(std::vector{1.0, 1.0, 1.0}, std::vector{.1, .2, .7});
  CHECK(fine.rounding().max_tv > 0);
  CHECK(fine.rounding().max_tv < 3 * 0x1p-46);
  CHECK(fine.rows().totals[0] == quantised_total);
}

TEST_CASE("a distribution that is none is refused by row and token") {
  auto const error = [](std::vector<double> const& law, bool normalise = false) {
    return testing::message<InputError>([&] { check_law(law, "p, row 3", normalise); });
  };
  std::string const entry = " (a probability is a number from 0 to 1) mend the entry";
  CHECK(error({.5, NAN}) == "p, row 3, token 1 is nan" + entry);
  CHECK(error({INFINITY, .5}) == "p, row 3, token 0 is inf" + entry);
  CHECK(error({1.5, -.5}) == "p, row 3, token 1 is -0.5" + entry);
  CHECK(error({0, 0}) ==
        "p, row 3 sums to 0 (no token could ever be drawn) give one token at least a probability above 0");
  CHECK(error({0, 0}, true) == error({0, 0}));
  CHECK(error({.5, .4}) ==
        "p, row 3 sums to 0.9 (a distribution sums to 1) mend it, or divide it by its sum with `normalise`");
  CHECK(error({.5, .4}, true) == "(no error)");
  CHECK(error({.5, .5 + .9e-9}) == "(no error)");
  CHECK(error({.5, .5 + 1.1e-9}) != "(no error)");
  CHECK(error({1e308, 1e308}, true) ==
        "p, row 3 sums to a number beyond 1e308 (a distribution sums to 1) mend it, or divide it by its sum with "
        "`normalise`");
  CHECK(error({.5, NAN}, true) == error({.5, NAN}));
}

TEST_CASE("fractions stay exact over their least common total") {
  using Law = std::vector<Fraction>;
  auto const row = [](Law const& p, Law const& q, bool normalise = false) {
    return exact_row(p, q, "`p`", "`q`", normalise);
  };
  auto const thirds = row({{1, 3}, {2, 3}}, {{1, 4}, {3, 4}});
  REQUIRE(thirds);
  CHECK(thirds->total == 12);
  CHECK(thirds->p == std::vector<std::uint64_t>{4, 8});
  CHECK(thirds->q == std::vector<std::uint64_t>{3, 9});
  auto const counts = row({3, 6, 3}, {{1, 2}, {1, 2}, 0}, true);
  REQUIRE(counts);
  CHECK(counts->total == 4);
  CHECK(counts->p == std::vector<std::uint64_t>{1, 2, 1});
  CHECK(counts->q == std::vector<std::uint64_t>{2, 2, 0});
  auto const one = row({1}, {1});
  REQUIRE(one);
  CHECK(one->total == 1);

  auto const error = [&](Law const& p, Law const& q, bool normalise = false) {
    return testing::message<InputError>([&] { row(p, q, normalise); });
  };
  CHECK(error({{3, 2}, {-1, 2}}, {1, 0}) ==
        "`p`, token 1 is -1/2 (a probability is a number from 0 to 1) mend the entry");
  CHECK(error({1, 0}, {{1, 2}, {1, 3}}) ==
        "`q` sums to 0.833333333333 (a distribution sums to 1) mend it, or divide it by its sum with `normalise`");
  CHECK(error({0, 0}, {1, 0}, true) ==
        "`p` sums to 0 (no token could ever be drawn) give one token at least a probability above 0");
}

TEST_CASE("totals above 2^53 are not exact, whatever overflows on the way") {
  using Law = std::vector<Fraction>;
  std::int64_t const limit = std::int64_t{1} << 53;
  CHECK(exact_row(Law{{1, limit}, {limit - 1, limit}}, Law{0, 1}, "p", "q", false));
  CHECK_FALSE(exact_row(Law{{1, limit + 1}, {limit, limit + 1}}, Law{0, 1}, "p", "q", false));
  // Each law fits, their common total does not.
  CHECK_FALSE(
      exact_row(Law{{1, 94906267}, {94906266, 94906267}}, Law{{1, 94906271}, {94906270, 94906271}}, "p", "q", false));
  CHECK_FALSE(exact_row(Law{{1, INT64_MAX}, {INT64_MAX - 1, INT64_MAX}}, Law{0, 1}, "p", "q", false));
  // Entries far above 2^53 are no obstacle where their ratios are simple.
  CHECK(exact_row(Law(5000, Fraction(INT64_MAX, limit - 1)), Law(5000, 1), "p", "q", true).value().total == 5000);
  Law huge(3000, Fraction(INT64_MAX));
  huge[0] = {1, limit - 1};
  CHECK_FALSE(exact_row(huge, huge, "p", "q", true));
  // 4096 such, over their common denominator, pass 2^128.
  Law mixed(4096, Fraction(INT64_MAX));
  mixed[0] = {1, limit - 1};
  CHECK_FALSE(exact_row(mixed, mixed, "p", "q", false));
}

TEST_CASE("memory is refused before it is taken") {
  auto const error = [](std::uint64_t rows, std::uint64_t vocab) {
    return testing::message<InputError>(
        [&] { check_memory(rows, vocab, std::uint64_t{4} << 30, "take fewer contexts"); });
  };
  CHECK(error(96, 49152) == "(no error)");
  CHECK(
      error(1024, 262144) ==
      "1024 rows of 262144 tokens need 13 GiB (the limit is 4 GiB, which holds 315) take fewer contexts, or raise it "
      "with `memory`");
  CHECK(error(4294967295, 4194304) != "(no error)");
  CHECK(error(4294967296, 1) == "4294967296 rows are too many (a row's number has 32 bits) take fewer contexts");
  CHECK(rows_that_fit(262144, std::uint64_t{4} << 30) == 315);
}

}  // namespace
}  // namespace draftgauge
