#include <catch2/catch.hpp>

#include "tests/analysis/acceptance_cases.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {
constexpr int cases = 1500;
}

TEST_CASE("acceptance is ordered between rules that are comparable") {
  Random random(11);
  for (int i = 0; i < cases; ++i) {
    Rows const rows = random_rows(random, 5);
    Exactly const here = at(rows);
    for (int k = 1; k <= 4; ++k) {
      CAPTURE(rows.p, rows.q, k);
      auto const [low, high] = here.k_seq_rho(k);  // falls in ρ: k-SEQ at ρ* lies between its values there
      Rational const k_seq_above = here.k_seq(k, low), k_seq_below = here.k_seq(k, high), optimal = here.optimal(k);
      REQUIRE(here.naive_set(k) <= here.recursive(k));
      REQUIRE(here.recursive(k) <= k_seq_above);
      REQUIRE(k_seq_below <= optimal);
      int all = 1, lost = 1;  // k^k, (k − 1)^k
      for (int j = 0; j < k; ++j) {
        all *= k;
        lost *= k - 1;
      }
      REQUIRE(k_seq_above * all >= optimal * (all - lost));  // 1 − (1 − 1/k)^k of it: SpecTr, arXiv 2310.15141
      if (static_cast<std::size_t>(k) > rows.p.size()) continue;
      Rational const recursive_without = here.recursive_without(k), optimal_without = here.optimal_without(k);
      REQUIRE(optimal <= optimal_without);
      REQUIRE(here.recursive(k) <= recursive_without);
      REQUIRE(recursive_without <= optimal_without);
      REQUIRE(here.naive_set(k) <= here.naive_set_without(k));
      REQUIRE(here.naive_set_without(k) <= recursive_without);
      if (k > 1) REQUIRE(here.top_set(k - 1) <= here.greedy_drafts(k));
    }
  }
}

TEST_CASE("acceptance does not fall with more drafts") {
  Random random(12);
  for (int i = 0; i < cases; ++i) {
    Rows const rows = random_rows(random, 5);
    Exactly const here = at(rows);
    for (int k = 1; k <= 4; ++k) {
      CAPTURE(rows.p, rows.q, k);
      REQUIRE(here.naive_set(k) <= here.naive_set(k + 1));
      REQUIRE(here.recursive(k) <= here.recursive(k + 1));
      REQUIRE(here.k_seq(k) <= here.k_seq(k + 1, here.k_seq_rho(k + 1).low));
      REQUIRE(here.optimal(k) <= here.optimal(k + 1));
      if (static_cast<std::size_t>(k) >= rows.p.size()) continue;
      REQUIRE(here.naive_set_without(k) <= here.naive_set_without(k + 1));
      REQUIRE(here.recursive_without(k) <= here.recursive_without(k + 1));
      REQUIRE(here.optimal_without(k) <= here.optimal_without(k + 1));
      REQUIRE(here.top_set(k) <= here.top_set(k + 1));
      REQUIRE(here.greedy_drafts(k) <= here.greedy_drafts(k + 1));
    }
  }
}

// Pairs that no inequality orders: one position each way, found by trying all small weights.

TEST_CASE("recursive rejection without replacement and k-SEQ are not ordered") {
  Exactly const one_hot = at(row({0, 1}, {1, 1}));
  CHECK(one_hot.recursive_without(2) == 1);
  CHECK(one_hot.k_seq(2) == Rational(3, 4));  // ρ* = 1
  Exactly const missing = at(row({0, 1, 1}, {1, 1, 2}));
  CHECK(missing.recursive_without(2) == Rational(5, 6));
  CHECK(missing.k_seq(2) > Rational(21, 25));
}

TEST_CASE("recursive rejection without replacement and the optimum with replacement are not ordered") {
  Exactly const one_hot = at(row({0, 1}, {1, 1}));
  CHECK(one_hot.recursive_without(2) == 1);
  CHECK(one_hot.optimal(2) == Rational(3, 4));
  Exactly const missing = at(row({0, 1, 2}, {1, 1, 1}));
  CHECK(missing.recursive_without(2) == Rational(5, 6));
  CHECK(missing.optimal(2) == Rational(8, 9));
}

TEST_CASE("greedy drafts and recursive rejection without replacement are not ordered") {
  Exactly const most_likely = at(row({1, 0, 0}, {2, 1, 1}));
  CHECK(most_likely.greedy_drafts(2) == 1);
  CHECK(most_likely.recursive_without(2) == Rational(5, 6));
  Exactly const unlikely = at(row({0, 0, 1}, {2, 1, 1}));
  CHECK(unlikely.greedy_drafts(2) == Rational(1, 2));
  CHECK(unlikely.recursive_without(2) == Rational(7, 12));
}

TEST_CASE("greedy drafts and the optimum without replacement are not ordered") {
  Exactly const most_likely = at(row({1, 0, 0}, {2, 1, 1}));
  CHECK(most_likely.greedy_drafts(2) == 1);
  CHECK(most_likely.optimal_without(2) == Rational(5, 6));
  Exactly const unlikely = at(row({0, 0, 1}, {2, 1, 1}));
  CHECK(unlikely.greedy_drafts(2) == Rational(1, 2));
  CHECK(unlikely.optimal_without(2) == Rational(7, 12));
}

TEST_CASE("a one-hot draft and the token rule are not ordered") {
  Exactly const uniform = at(row(std::vector<int>(10, 1), std::vector<int>(10, 1)));
  CHECK(uniform.token() == 1);
  CHECK(uniform.one_hot() == Rational(1, 10));
  Exactly const sharper = at(row({90, 10}, {51, 49}));
  CHECK(sharper.token() == Rational(61, 100));
  CHECK(sharper.one_hot() == Rational(9, 10));
}

TEST_CASE("the set of the most likely drafts and sampled drafts are not ordered") {
  Exactly const most_likely = at(row({1, 0, 0}, {2, 1, 1}));
  CHECK(most_likely.top_set(2) == 1);
  CHECK(most_likely.optimal_without(2) == Rational(5, 6));
  Exactly const unlikely = at(row({0, 0, 1}, {2, 1, 1}));
  CHECK(unlikely.top_set(2) == 0);
  CHECK(unlikely.naive_set(2) == Rational(7, 16));
}
