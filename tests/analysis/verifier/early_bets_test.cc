#include "analysis/verifier/early_bets.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace draftgauge;
using Catch::Detail::Approx;
using Counts = std::vector<std::uint64_t>;

TEST_CASE("no bet gains in the mean") {
  // Exactly: the mean over all texts of a batch of one, whatever came before.
  std::vector<double> const p = {.5, .25, .25, 0};
  std::vector<double> const within = {.25, .5, .25, 0}, beyond = {.25, .25, .25, .25};  // of what p emits
  for (Counts const& before : {Counts{0, 0, 0, 0}, Counts{1, 6, 2, 0}})
    for (bool const loses : {false, true}) {
      double worth = 0;
      for (std::size_t text = 0; text < 3; ++text) {
        EarlyBets bets(p, {loses ? beyond : within});
        double const start = bets.look(before);
        Counts after = before;
        ++after[text];
        worth += p[text] * std::exp(bets.look(after) - start);
      }
      CHECK(worth <= 1 + 1e-12);
      CHECK((worth > 1 - 1e-12) == !loses);
    }
}

TEST_CASE("half of the capital is on a fault that is known, and what p excludes ends it at once") {
  EarlyBets bets({.5, .5}, {{1, 0}});
  // The account that stakes all has 2^10; with the other stakes, of each 1 + λ, it is an eighth of half the capital.
  double worth = 0;
  for (int i = 0; i < EarlyBets::stakes; ++i) worth += std::pow(1 + std::pow(.5, i), 10);
  CHECK(bets.look({10, 0}) == Approx(std::log(.5 + .5 * worth / 8)));  // half that nothing is suggested for so far
  CHECK(EarlyBets({.5, .5, 0}, {}).look({0, 0, 1}) == HUGE_VAL);
  CHECK(EarlyBets({.5, .5}, {{0, 1}}).look({0, 0}) == 0);
}
