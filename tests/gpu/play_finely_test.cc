#include "gpu/kernels/play_finely.h"

#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "gpu/machine_tables.h"
#include "sim/play/trial.h"
#include "tests/cases.h"
#include "tests/gpu/emulated_machine.h"

using namespace draftgauge;

namespace {

/// What a round came to: accepted drafts, and what was emitted in its order.
struct Played {
  int accepted = 0;
  std::vector<std::pair<int, Token>> emitted;
  friend bool operator==(Played const&, Played const&) = default;
};
template <class Play>
Played played_by(Play const& play) {
  Played played;
  played.accepted = play([&](int i, Token token) { played.emitted.emplace_back(i, token); });
  return played;
}

}  // namespace

TEST_CASE("open rounds: settled by the next digits of the tables they are what the answers in full say") {
  for (auto [follow, rows] : {std::pair{Follow::independent, 1u}, {Follow::independent, 3u}, {Follow::state, 5u}})
    for (bool bonus : {true, false}) {
      auto const laws = testing::some_laws(follow, 1000, rows);
      Simulation const simulation({.shape = {7, 1, bonus}, .positions = 8}, *laws, 11);
      testing::EmulatedMachine<std::uint32_t> machine({32, 2, 64, 99 << 10, 0, 0});
      MachineTables const tables(simulation, chain_program(simulation, 1, true).value(), machine);
      REQUIRE(tables.view().fine);
      int open = 0;
      for (std::uint64_t trial = 0; trial < 20'000; ++trial) {
        Played const exactly = played_by(
            [&](auto const& emit) { return kernels::play_exactly<true>(tables.view(), trial, 3, 0, emit); });
        kernels::Settling settled;
        Played const finely = played_by([&](auto const& emit) {
          settled = kernels::play_finely<true>(tables.view(), trial, 3, 0, emit);
          return settled.accepted;
        });
        INFO("trial " << trial);
        if (settled.open)
          ++open;
        else
          REQUIRE(finely == exactly);
        REQUIRE(played_by([&](auto const& emit) {
                  return kernels::play_open<true>(tables.view(), trial, 3, 0, emit);
                }) == exactly);
      }
      CHECK(open > 0);  // of flips, 2^-16 a position: the answers in full go on from where digits end
      CHECK(open < 100);
    }
}

TEST_CASE("open rounds: next digits are there where many rounds need them, and only there") {
  for (std::uint32_t vocab : {32u, 512u, 513u, 1024u, 1025u}) {
    auto const laws = testing::some_laws(Follow::independent, vocab, 1);
    Simulation const simulation({.shape = {.gamma = 5}}, *laws, 11);
    testing::EmulatedMachine<std::uint32_t> machine({32, 2, 64, 99 << 10, 0, 0});
    MachineTables const tables(simulation, chain_program(simulation, 1, true).value(), machine);
    CAPTURE(vocab);
    CHECK((tables.view().fine != nullptr) == (vocab == 513 || vocab == 1024));
  }
}
