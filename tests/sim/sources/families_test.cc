#include "sim/sources/families.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/base/error.h"
#include "sim/sources/source.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// Σ min(p, q) of a row, in integers.
std::uint64_t common(PairTables const& tables, std::uint32_t row) {
  std::uint64_t sum = 0;
  for (std::uint32_t x = 0; x < tables.vocab(); ++x) sum += std::min(tables.p(row)[x], tables.q(row)[x]);
  return sum;
}

TEST_CASE("exact-alpha meets α as a ratio of integers") {
  for (char const* vocab : {"2", "3", "10", "1001", "49152"}) {
    for (Fraction const alpha : {Fraction(0), Fraction(1), Fraction(1, 3), Fraction(4, 5), Fraction(999, 1000),
                                 Fraction(1, 9999999999999), Fraction(9999999999998, 9999999999999)}) {
      Source const source = open_source("exact-alpha:vocab=" + std::string(vocab) + ",alpha=" + alpha.text());
      INFO(source.description);
      std::uint64_t const total = source.tables.total(0);
      REQUIRE(total % static_cast<std::uint64_t>(alpha.den()) == 0);
      CHECK(common(source.tables, 0) ==
            total / static_cast<std::uint64_t>(alpha.den()) * static_cast<std::uint64_t>(alpha.num()));
      CHECK(source.rounding.max_tv < 1e-9);
    }
  }
  Source const one = open_source("exact-alpha:vocab=1,alpha=1");
  CHECK(one.tables.beta(0) == 1);
  CHECK(
      testing::message<UsageError>([] { open_source("exact-alpha:vocab=1,alpha=.5"); }) ==
      "exact-alpha: one token cannot be rejected (with vocab=1, p and q are equal) take vocab=2 or more, or alpha=1");
  CHECK(
      testing::message<UsageError>([] { open_source("exact-alpha:alpha=1/100000000000001"); }) ==
      "exact-alpha: alpha=1/100000000000001 has a denominator above 2^46 (it could not be met exactly) write it with "
      "at most 13 decimals");
  CHECK(testing::hint([] { open_source("exact-alpha:alpha=1/100000000000001"); }) ==
        "write it with at most 13 decimals");
}

TEST_CASE("exact-alpha follows its formula") {
  // V = 4, α = 1/2: m = (12, 6, 4, 3)/25, a = (1, 0, 1, 0)/2, b = (0, 1, 0, 1)/2.
  Source const source = open_source("exact-alpha:vocab=4,alpha=1/2");
  double const p[] = {.24 + .25, .12, .08 + .25, .06}, q[] = {.24, .12 + .25, .08, .06 + .25};
  for (Token x = 0; x < 4; ++x) {
    CHECK(source.tables.target_probability(0, x) == Approx(p[x]).epsilon(1e-12));
    CHECK(source.tables.draft_probability(0, x) == Approx(q[x]).epsilon(1e-12));
  }
  CHECK(contexts_text(source.tables.contexts()) == "one context");
}

TEST_CASE("zipf follows its formula") {
  // r = 1, 2, 3: p ∝ (r + 1)^-2 = 1/4, 1/9, 1/16 = (36, 16, 9)/144; q ∝ 1/r = (6, 3, 2)/6.
  Source const source = open_source("zipf:vocab=3,exponent=2,shift=1,draft-exponent=1");
  double const p[] = {36. / 61, 16. / 61, 9. / 61}, q[] = {6. / 11, 3. / 11, 2. / 11};
  for (Token x = 0; x < 3; ++x) {
    CHECK(source.tables.target_probability(0, x) == Approx(p[x]).epsilon(1e-12));
    CHECK(source.tables.draft_probability(0, x) == Approx(q[x]).epsilon(1e-12));
  }
  CHECK(source.rounding.max_tv < 1e-13);
}

TEST_CASE("softmax subtracts the maximum, keeps -inf at 0, and at T = 0 takes the first of the largest") {
  std::vector<double> z{1000, 1000 - std::log(4.0), -INFINITY};
  auto cold = z, hot = z, frozen = std::vector<double>{1, 3, 3};
  softmax(z, 1);
  CHECK(z[0] == 1);
  CHECK(z[1] == Approx(.25));
  CHECK(z[2] == 0);
  softmax(cold, .5);
  CHECK(cold[1] == Approx(1. / 16));
  softmax(hot, 2);
  CHECK(hot[1] == Approx(.5));
  softmax(frozen, 0);
  CHECK(frozen == std::vector<double>{0, 1, 0});
}

TEST_CASE("drawn distributions depend on their seed, row and nothing else") {
  auto const same_row = [](PairTables const& a, PairTables const& b, std::uint32_t row) {
    return std::ranges::equal(a.p(row), b.p(row)) && std::ranges::equal(a.q(row), b.q(row));
  };
  for (std::string const name : {"dirichlet", "noisy-softmax"}) {
    Source const few = open_source(name + ":contexts=2"), many = open_source(name + ":contexts=5");
    Source const other = open_source(name + ":contexts=2,seed=2");
    CHECK(same_row(few.tables, many.tables, 0));
    CHECK(same_row(few.tables, many.tables, 1));
    CHECK_FALSE(same_row(few.tables, other.tables, 0));
    CHECK_FALSE(std::ranges::equal(few.tables.p(0), few.tables.p(1)));
    CHECK_FALSE(std::ranges::equal(few.tables.p(0), few.tables.q(0)));
    CHECK(contexts_text(many.tables.contexts()) == "5 i.i.d. contexts");
  }
}

// With fixed seeds the statistics below are numbers, not chance; bounds are 6 standard deviations of what the laws
// say (false alarm 2e-9 each had the seed been free; a mean off by 12 deviations is seen with the same certainty).
TEST_CASE("gamma and normal variables have their moments") {
  for (double const a : {.01, .5, 1.0, 7.0, 1000.0}) {
    std::size_t const n = 40000;
    auto const logs = log_gamma_variables(n, a, {1, 0, 0});
    double mean = 0;
    for (double x : logs) mean += std::exp(x) / n;
    INFO(a);
    CHECK(std::abs(mean - a) < 6 * std::sqrt(a / n));
    double low = 0;  // P(Gamma(1) < ln 2) = 1/2 checks more than the mean
    for (double x : logs) low += x < std::log(std::log(2.0));
    if (a == 1) CHECK(std::abs(low / n - .5) < 6 * std::sqrt(.25 / n));
  }
  auto const z = normal_variables(40000, {1, 0, 1});
  double mean = 0, square = 0;
  for (double x : z) {
    mean += x / 40000;
    square += x * x / 40000;
  }
  CHECK(std::abs(mean) < 6 / 200.);
  CHECK(std::abs(square - 1) < 6 * std::sqrt(2.) / 200);
}

TEST_CASE("a small concentration gives distributions, not zeros") {
  Source const source = open_source("dirichlet:vocab=4000,concentration=.001,contexts=3");
  for (std::uint32_t row = 0; row < 3; ++row) {
    auto const p = source.tables.p(row);
    CHECK(std::accumulate(p.begin(), p.end(), std::uint64_t{0}) == source.tables.total(row));
  }
  CHECK(source.rounding.vanished > 0);
}

TEST_CASE("noise is what separates the draft from the target") {
  auto const mean_beta = [](std::string const& text) {
    Source const source = open_source(text);
    double sum = 0;
    for (std::uint32_t i = 0; i < source.tables.rows(); ++i) sum += source.tables.beta(i);
    return sum / source.tables.rows();
  };
  CHECK(mean_beta("noisy-softmax:noise=0") == 1);
  CHECK(mean_beta("markov:noise=0") == 1);
  CHECK(mean_beta("noisy-softmax:noise=.5") > mean_beta("noisy-softmax:noise=2"));
  CHECK(mean_beta("markov:noise=.5") > mean_beta("markov:noise=2"));
  Source const cold = open_source("noisy-softmax:temperature=0,contexts=4");
  for (std::uint32_t row = 0; row < 4; ++row) CHECK(std::ranges::count(cold.tables.p(row), 0u) == 49);
}

TEST_CASE("a Markov pair has a row for each token") {
  Source const source = open_source("markov:vocab=5");
  CHECK(source.tables.rows() == 5);
  CHECK(source.tables.contexts().follow == Follow::token);
  CHECK(contexts_text(source.tables.contexts()) == "Markov pair");
  CHECK(open_source("markov:vocab=1").tables.rows() == 1);
}

TEST_CASE("distributions that do not fit the memory are refused with the figure") {
  CHECK(
      testing::message<InputError>([] { open_source("dirichlet:vocab=262144,contexts=1024"); }) ==
      "1024 rows of 262144 tokens need 13 GiB (the limit is 4 GiB, which holds 315) take fewer contexts or a smaller "
      "vocab, or raise it with `memory`");
  CHECK(testing::message<InputError>([] { open_source("markov:vocab=50000"); }).find("take a smaller vocab") !=
        std::string::npos);
}

}  // namespace
}  // namespace draftgauge
