#include "analysis/recordings/row_odds.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "analysis/recordings/row_check.h"
#include "tests/analysis/text_rows.h"

using namespace draftgauge;
using namespace draftgauge::testing;

// Σ over x of p(x) · (mean over alternatives of p'(x)/p(x)) is 1 for one token, as each p' sums to 1.
TEST_CASE("row odds: their mean under p is 1") {
  std::vector<double> z(rows_vocab), p(rows_vocab);
  Random random(9);
  for (double& x : z) x = -2 * std::log(-std::log((random.word() + .5) * 0x1p-32));
  for (double const temperature : {.7, 1., 1.4}) {
    Fold const at{.temperature = temperature};
    fold(at, z, p);
    double mean = 0;
    for (std::size_t x = 0; x < rows_vocab; ++x) {
      RowPairs pairs;
      pairs.target = std::make_unique<Matrix>(z, rows_vocab);
      pairs.tokens = {static_cast<std::int64_t>(x)};
      mean += p[x] * std::exp(row_odds(pairs, at)->log_odds);
    }
    CHECK(mean == Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("row odds: as many tokens are looked at as numbers allow, and a token of probability 0 stops them") {
  Rows rows({}, 100, 6);
  RowPairs pairs = rows.pairs();
  CHECK(row_odds(pairs, {}, 50 * rows_vocab)->tokens == 50);
  rows.target[static_cast<std::size_t>(rows.tokens[0])] = -std::numeric_limits<double>::infinity();
  RowPairs excluded = rows.pairs();
  CHECK_FALSE(row_odds(excluded, {}));
}

TEST_CASE("row check: no temperature is fitted beyond .05 to 5") {
  Rows const sampled({}, 200, 7), greedy({.temperature = 0}, 200, 8);
  auto const fit = [](Rows const& rows, std::vector<std::int64_t> const& tokens) {
    return fitted_temperature(*rows.pairs().target, tokens);
  };
  CHECK_FALSE(fit(sampled, sampled.tokens)->at_end);
  CHECK(fit(sampled, sampled.tokens)->fits(1));
  auto const at_zero = fit(greedy, greedy.tokens);
  CHECK((at_zero->at_end && at_zero->temperature == Approx(least_temperature)));
  std::vector<std::int64_t> least;
  for (std::size_t row = 0; row < 200; ++row) {
    auto const begin = sampled.target.begin() + static_cast<std::ptrdiff_t>(row * rows_vocab);
    least.push_back(std::min_element(begin, begin + rows_vocab) - begin);
  }
  auto const against = fit(sampled, least);
  CHECK((against->at_end && against->temperature == Approx(greatest_temperature)));
  CHECK_FALSE(against->fits(greatest_temperature));
}
