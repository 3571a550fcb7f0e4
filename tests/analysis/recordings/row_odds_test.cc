#include "analysis/recordings/row_odds.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "analysis/recordings/row_check.h"
#include "analysis/stats/betting_test.h"
#include "tests/analysis/text_rows.h"

using namespace draftgauge;
using namespace draftgauge::testing;

// Σ over x of p(x) · (mean over alternatives of p'(x)/p(x)) is 1 for one token, as each p' sums to 1.
TEST_CASE("row odds: their mean under p is 1") {
  std::vector<double> z(rows_vocab), p(rows_vocab);
  Random random(9);
  for (double& x : z) x = -2 * std::log(-std::log(random.inner_uniform()));
  for (double const temperature : {.7, 1., 1.4}) {
    SamplingParameters const at{.temperature = temperature};
    truncate(at, z, p);
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

namespace {

/// The odds by their definition: each alternative's law by itself.
double odds_by_folds(std::vector<double> const& z, std::size_t vocab, std::vector<std::int64_t> const& tokens,
                     SamplingParameters const& at) {
  std::vector<SamplingParameters> alternatives;
  for (int k = 8; k <= 32; ++k)
    if (k != 16) alternatives.push_back({.temperature = at.temperature * 16 / k});
  for (SamplingParameters cut : {SamplingParameters{.top_k = 20},
                                 {.top_k = 40},
                                 {.top_k = 50},
                                 {.top_p = .8},
                                 {.top_p = .9},
                                 {.top_p = .95},
                                 {.min_p = .05}}) {
    cut.temperature = at.temperature;
    alternatives.push_back(cut);
  }
  std::vector<double> p(vocab), other(vocab), logs;
  for (SamplingParameters& how : alternatives) {
    how.order = at.order;
    double log_odds = 0;
    for (std::size_t row = 0; row < tokens.size(); ++row) {
      auto const of_row = std::span(z).subspan(row * vocab, vocab);
      auto const x = static_cast<std::size_t>(tokens[row]);
      truncate(at, of_row, p);
      truncate(how, of_row, other);
      log_odds += std::log(other[x]) - std::log(p[x]);
    }
    logs.push_back(log_odds);
  }
  return log_mean_exp(logs);
}

}  // namespace

TEST_CASE(
    "row odds: each alternative's distribution is the one that truncate makes, at ties, at edges and far from the "
    "largest") {
  double const none = -std::numeric_limits<double>::infinity();
  Random random(11);
  std::function<double(std::size_t)> const kinds[] = {
      [&](std::size_t) { return -3 * std::log(-std::log(random.inner_uniform())); },
      [&](std::size_t) { return std::floor(6 * random.inner_uniform()); },  // ties by tens
      [&](std::size_t) { return random.inner_uniform() < .9 ? none : random.inner_uniform(); },
      [&](std::size_t i) { return i == 5 ? 0. : -1e4; },
      [&](std::size_t) { return -1400 * random.inner_uniform(); },
      [&](std::size_t i) { return i == 5 ? 0. : -350 - 30 * random.inner_uniform(); },
      [&](std::size_t i) { return i == 5 ? 1e300 : 0.; },
      [&](std::size_t) { return 0.; }};
  for (std::size_t const vocab : {1u, 30u, 45u, 300u})
    for (auto const& kind : kinds)
      for (SamplingParameters::Order const order :
           {SamplingParameters::Order::hf, SamplingParameters::Order::vllm, SamplingParameters::Order::llama_cpp})
        for (double const temperature : {.3, 1., 2.5})
          // Tokens among the most likely, so that no alternative has excluded one before the end.
          for (std::size_t const rank : {0u, 1u, 6u, 21u}) {
            std::size_t const rows = 4;
            std::vector<double> z(rows * vocab);
            RowPairs pairs;
            for (std::size_t row = 0; row < rows; ++row) {
              auto const of_row = std::span(z).subspan(row * vocab, vocab);
              for (std::size_t i = 0; i < vocab; ++i) of_row[i] = kind(i);
              if (*std::ranges::max_element(of_row) == none) of_row[0] = 0;
              std::vector<std::size_t> order_of(vocab);
              for (std::size_t i = 0; i < vocab; ++i) order_of[i] = i;
              std::ranges::stable_sort(order_of, std::greater<>(), [&](std::size_t i) { return of_row[i]; });
              std::size_t r = std::min(rank, vocab - 1);
              while ((of_row[order_of[r]] - of_row[order_of[0]]) / temperature < -300) --r;
              pairs.tokens.push_back(static_cast<std::int64_t>(order_of[r]));
            }
            pairs.target = std::make_unique<Matrix>(z, vocab);
            SamplingParameters const at{.temperature = temperature, .order = order};
            CAPTURE(vocab, &kind - kinds, static_cast<int>(order), temperature, rank);
            CHECK(row_odds(pairs, at)->log_odds ==
                  Approx(odds_by_folds(z, vocab, pairs.tokens, at)).epsilon(1e-12).margin(1e-12));
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
