#include "analysis/exact/path_rounds.h"

#include <catch2/catch.hpp>

using namespace draftgauge;

TEST_CASE("a round along a recorded text multiplies the β of its rows") {
  PathRounds const path({.5, .25, 1, 0}, {4, 3, 2, 1}, 2, true);
  CHECK(path.tokens_law(0) == std::vector{.5, .375, .125});
  CHECK(path.mean_tokens(0) == 1.625);  // 1 + β₀ + β₀β₁
  CHECK(path.mean_tokens(1) == 1.5);
  PathRounds const without({.5, .25, 1, 0}, {4, 3, 2, 1}, 2, false);
  CHECK(without.tokens_law(0) == std::vector{.5, .5});
}

TEST_CASE("a trial along a text, by hand") {
  // γ = 1 on three rows: a round needs two. From row 0: one token (β fails, .5) leads to row 1, two tokens to row 2,
  // where only one row is left. From row 1: always a last round, of 1 + .25 tokens.
  PathRounds const path({.5, .25, .75}, {3, 2, 1}, 1, true);
  std::uint32_t const from_first[] = {0};
  auto const one = path.trial(from_first, 1);
  CHECK(one.rounds == 1);
  CHECK(one.tokens == 1.5);
  auto const many = path.trial(from_first, 64);
  CHECK(many.rounds == 1.5);
  CHECK(many.tokens == 1.5 + .5 * 1.25);
  std::uint32_t const anywhere[] = {0, 1};
  CHECK(path.trial(anywhere, 64).tokens == (many.tokens + 1.25) / 2);
}

TEST_CASE("a text's end is not the next text's beginning") {
  PathRounds const path({1, 1, 1, 1}, {2, 1, 2, 1}, 1, true);
  std::uint32_t const start[] = {0};
  CHECK(path.trial(start, 64).rounds == 1);
}
