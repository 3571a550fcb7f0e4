#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <set>

#include "sim/fast/chain_player.h"
#include "sim/fast/engine.h"
#include "tests/cases.h"
#include "tests/sim/fast/in_lanes.h"

using namespace draftgauge;
using testing::in_lanes;

namespace {

/// Compares every target that plays the task with the reference. Returns how many there were.
std::size_t compare(std::string const& name, Task const& task, PairTables const& tables, std::uint64_t seed,
                    Range range) {
  Simulation const simulation(task, tables, seed);
  std::optional<Tally> reference;
  std::size_t compared = 0;
  for (VectorTarget target : vector_targets()) {
    auto const player = ChainPlayer::make(simulation, target);
    if (!player) continue;
    if (!reference) reference = simulate(simulation, range, serial_backend(), 1).tally;
    INFO(name << " on " << name_of(target));
    REQUIRE(in_lanes(*player, simulation, range) == *reference);
    ++compared;
  }
  return compared;
}

struct Source {
  char const* name;
  Follow follow;
  std::uint32_t vocab, rows;
};

/// What is counted of the tokens.
struct GramsCounted {
  int positions, gram;
  bool firsts;
  std::uint32_t gram_from;
};

}  // namespace

TEST_CASE("walk lanes: every target equals the reference, for every rule, way to follow, and shape") {
  constexpr Source sources[] = {
      {"one context", Follow::independent, 3, 1}, {"one context", Follow::independent, 1025, 1},
      {"bag", Follow::independent, 5, 7},         {"bag", Follow::independent, 1000, 3},
      {"bag", Follow::independent, 1025, 3},      {"markov", Follow::token, 2, 2},
      {"markov", Follow::token, 33, 33},          {"markov", Follow::token, 1025, 1025},
      {"automaton", Follow::state, 3, 5},         {"automaton", Follow::state, 64, 9},
      {"automaton", Follow::state, 2000, 4},      {"path", Follow::next_row, 3, 400},
      {"path", Follow::next_row, 65, 120},        {"path", Follow::next_row, 1025, 150},
      {"prefix", Follow::prefix, 2, 1023},        {"prefix", Follow::prefix, 3, 364}};
  constexpr GramsCounted counted[] = {
      {0, 0, false, 0}, {3, 0, true, 0}, {0, 2, false, 0}, {1, 0, false, 0}, {4, 2, true, 3}};
  std::set<std::string> played;
  std::size_t number = 0;
  for (Source const& source : sources) {
    auto const tables = testing::some_tables(source.follow, source.vocab, source.rows);
    for (RuleCard const& card : rule_cards())
      for (int gamma : {1, 2, 3, 4, 5, 8, 13}) {
        ++number;
        if (source.vocab > 1000 && gamma != 2 && gamma != 5) continue;
        bool const prefix = source.follow == Follow::prefix;
        if (prefix && gamma > 4) continue;
        GramsCounted const count = counted[number % std::size(counted)];
        std::uint32_t const rounds = prefix ? 1 : number % 3 == 0 ? 64 : 7;
        bool const long_grams = source.vocab <= 100;
        Task const task{.rule = std::string(card.name),
                        .shape = {gamma, 1, number % 4 != 0},
                        .rounds_per_trial = rounds,
                        .positions = prefix ? 1 : count.positions,
                        .gram = long_grams && !prefix ? count.gram : 0,
                        .firsts = count.firsts,
                        .gram_from = long_grams && !prefix ? count.gram_from : 0};
        Range const range{1000 * number, 1000 * number + (source.vocab > 900 ? 90 : 200)};
        std::size_t const here =
            compare(std::string(card.name) + " on " + source.name + ", V=" + std::to_string(source.vocab) +
                        ", γ=" + std::to_string(gamma) + ", " + std::to_string(rounds) + " rounds",
                    task, *tables, 42 + number, range);
        if (here > 0) played.insert(task.rule + source.name);
      }
  }
  if (vector_targets().size() == 1) return;  // a machine without lanes
  for (Source const& source : sources) CHECK(played.contains(std::string("token") + source.name));
  CHECK(played.contains("chenmarkov"));
  CHECK(played.contains("greedypath"));
  CHECK(played.contains("one-hotpath"));  // and not where the tokens matter, which it weighs on the spot
  CHECK_FALSE(played.contains("blockmarkov"));
}

TEST_CASE("walk lanes: many trials, one start, and trial numbers at the ends of words") {
  std::uint64_t const last = ~std::uint64_t{0};
  auto const markov = testing::some_tables(Follow::token, 32, 32);
  auto const iid = testing::some_tables(Follow::independent, 1024, 2);
  auto const path = testing::some_tables(Follow::next_row, 8, 60);
  // A context, or a start, is undecided by its first word once in 2^32 / rows.
  auto const large_bag = testing::some_tables(Follow::independent, 2, 70'000);
  auto const long_path = testing::some_tables(Follow::next_row, 2, 70'000);
  std::size_t const targets = vector_targets().size() - 1;
  CHECK(compare("markov", {.rounds_per_trial = 16, .positions = 2}, *markov, 1, {0, 20'000}) == targets);
  CHECK(compare("one start", {.start = 5, .gram = 2}, *markov, 2, {last - 901, last}) == targets);
  CHECK(compare("across a word", {.rounds_per_trial = 2}, *markov, 3, {0xfffff000, 0x100000345}) == targets);
  CHECK(compare("bag of full tables", {.rounds_per_trial = 6, .positions = 6}, *iid, 4, {0, 20'000}) == targets);
  CHECK(compare("bag of many rows", {.rounds_per_trial = 7, .positions = 9}, *large_bag, 8, {0, 40'000}) == targets);
  CHECK(compare("path of many rows", {.rounds_per_trial = 1, .positions = 6}, *long_path, 9, {0, 2'000'000}) ==
        targets);
  CHECK(compare("path", {.rounds_per_trial = 64}, *path, 5, {0, 20'000}) == targets);
  CHECK(compare("fewer trials than lanes", {.gram = 2}, *path, 6, {17, 20}) == targets);
  CHECK(compare("long drafts", {.shape = {.gamma = max_gamma}, .rounds_per_trial = 9}, *markov, 7, {0, 300}) ==
        targets);
}
