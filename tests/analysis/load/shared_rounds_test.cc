#include "analysis/load/shared_rounds.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"
#include "tests/message.h"

using namespace draftgauge;

namespace {

std::vector<double> const survival = {.8, .7, .45, .3};

/// Tokens of a round, by one uniform number.
std::int64_t tokens(double u, std::size_t gamma, bool bonus) {
  std::size_t kept = 0;
  while (kept < gamma && u < survival[kept]) ++kept;
  return static_cast<std::int64_t>(bonus ? kept + 1 : std::min(kept + 1, gamma));
}

}  // namespace

TEST_CASE("texts of one batch wait for the longest, as when they are played") {
  std::mt19937_64 bits(20);
  std::uniform_real_distribution<double> uniform;
  constexpr std::int64_t length = 60, batch = 8;
  constexpr int runs = 20'000;
  for (bool const bonus : {true, false}) {
    double sum = 0, squares = 0;
    for (int run = 0; run < runs; ++run) {
      std::int64_t longest = 0;
      for (std::int64_t b = 0; b < batch; ++b) {
        std::int64_t rounds = 0;
        for (std::int64_t written = 0; written < length; ++rounds) written += tokens(uniform(bits), 4, bonus);
        longest = std::max(longest, rounds);
      }
      sum += static_cast<double>(longest);
      squares += static_cast<double>(longest * longest);
    }
    double const mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    // Beyond 5 standard errors by chance: 6e-7.
    CHECK(std::abs(*rounds_of_longest(survival, 4, batch, length, bonus) - mean) < 5 * error);
  }
  double const alone = *rounds_of_longest(survival, 4, 1, length),
               together = *rounds_of_longest(survival, 4, 64, length);
  CHECK(alone > length / theory::expected_tokens(survival));  // the last round goes beyond the end
  CHECK(together > 1.2 * alone);
  CHECK(rounds_of_longest(survival, 0, 64, length) == 60.);
  CHECK_FALSE(rounds_of_longest(survival, 4, 8, 100'000));
}

TEST_CASE("load: without the bonus token the last draft's survival is not looked at") {
  std::vector<double> const three(survival.begin(), survival.begin() + 3);
  CHECK(*rounds_of_longest(three, 4, 8, 60, false) == *rounds_of_longest(survival, 4, 8, 60, false));
  CHECK(*rounds_of_longest({}, 1, 8, 60, false) == 60);
}
