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
struct PlayedRound {
  int accepted = 0;
  std::vector<std::pair<int, Token>> emitted;
  friend bool operator==(PlayedRound const&, PlayedRound const&) = default;
};
template <class Play>
PlayedRound played_by(Play const& play) {
  PlayedRound played;
  played.accepted = play([&](int i, Token token) { played.emitted.emplace_back(i, token); });
  return played;
}

}  // namespace

TEST_CASE("open rounds: settled by the next digits of the tables they are what the answers in full say") {
  for (auto [follow, rows] : {std::pair{Follow::independent, 1u}, {Follow::independent, 3u}, {Follow::state, 5u}})
    for (bool bonus : {true, false}) {
      auto const pair_tables = testing::some_tables(follow, 1000, rows);
      Simulation const simulation({.shape = {7, 1, bonus}, .positions = 8}, *pair_tables, 11);
      testing::EmulatedMachine<std::uint32_t> machine({32, 2, 64, 99 << 10, 0, 0});
      MachineTables const tables(simulation, threshold_tables(simulation, 1, true).value(), machine);
      REQUIRE(tables.view().fine);
      int open = 0;
      for (std::uint64_t trial = 0; trial < 20'000; ++trial) {
        PlayedRound const exactly = played_by(
            [&](auto const& emit) { return kernels::play_exactly<true>(tables.view(), trial, 3, 0, emit); });
        kernels::Resolving resolved;
        PlayedRound const finely = played_by([&](auto const& emit) {
          resolved = kernels::play_finely<true>(tables.view(), trial, 3, 0, emit);
          return resolved.accepted;
        });
        INFO("trial " << trial);
        if (resolved.open)
          ++open;
        else
          REQUIRE(finely == exactly);
        REQUIRE(played_by([&](auto const& emit) {
                  return kernels::play_tied<true>(tables.view(), trial, 3, 0, emit);
                }) == exactly);
      }
      CHECK(open > 0);  // of flips, 2^-16 a position: the answers in full go on from where digits end
      CHECK(open < 100);
    }
}

// A pick of the last token that falls on its threshold has digits behind those that count, and where all of these are
// zero they are below what stands there in the table: one round in four million.
TEST_CASE("open rounds: what a pick's word has behind its digits does not decide for it") {
  auto const pair_tables = testing::some_tables(Follow::independent, 1000, 1);
  Simulation const simulation({.shape = {.gamma = 5}, .positions = 2}, *pair_tables, 42);
  testing::EmulatedMachine<std::uint32_t> machine({32, 2, 64, 99 << 10, 0, 0});
  MachineTables const tables(simulation, threshold_tables(simulation, 1, true).value(), machine);
  for (std::uint64_t trial : {4302814163, 4306557626, 4315258951, 4317872619, 4318802532, 4320430904, 4332948946}) {
    INFO("trial " << trial);
    auto const last_word = kernels::RoundWords{tables.view().keys, trial, 0}(layout::joint, 0).word[0];
    CHECK((last_word & 0xffff) == 0);
    kernels::Resolving resolved;
    PlayedRound const finely = played_by([&](auto const& emit) {
      resolved = kernels::play_finely<true>(tables.view(), trial, 0, 0, emit);
      return resolved.accepted;
    });
    CHECK_FALSE(resolved.open);
    CHECK(finely ==
          played_by([&](auto const& emit) { return kernels::play_exactly<true>(tables.view(), trial, 0, 0, emit); }));
  }
}

TEST_CASE("open rounds: next digits are there where many rounds need them, and only there") {
  for (std::uint32_t vocab : {32u, 512u, 513u, 1024u, 1025u}) {
    auto const pair_tables = testing::some_tables(Follow::independent, vocab, 1);
    Simulation const simulation({.shape = {.gamma = 5}}, *pair_tables, 11);
    testing::EmulatedMachine<std::uint32_t> machine({32, 2, 64, 99 << 10, 0, 0});
    MachineTables const tables(simulation, threshold_tables(simulation, 1, true).value(), machine);
    CAPTURE(vocab);
    CHECK((tables.view().fine != nullptr) == (vocab == 513 || vocab == 1024));
  }
}
