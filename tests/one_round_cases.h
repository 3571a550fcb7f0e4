#pragma once
#include <catch2/catch.hpp>
#include <vector>

#include "sim/fast/engine.h"
#include "tests/cases.h"

/// Trials of one round, drafted in a chain, for players that have threshold tables.
namespace draftgauge::testing {

/// A vocabulary, and on how many rows and drafts of which lengths it is played.
struct Sized {
  std::uint32_t vocab;
  std::vector<std::uint32_t> rows;
  std::vector<int> gammas;
};

/// Calls play(simulation, range) for every rule, with and without histograms and the bonus token.
void for_one_round(std::vector<Sized> const& all, auto const& play) {
  std::uint64_t seed = 42;
  for (auto const& [vocab, row_counts, gammas] : all)
    for (std::uint32_t const rows : row_counts) {
      auto const tables = some_tables(Follow::independent, vocab, rows);
      for (RuleCard const& card : rule_cards())
        for (int const gamma : gammas)
          for (int const positions : {0, 1, gamma + 1}) {
            bool const bonus = ++seed % 3 != 0;
            Task const task{.rule = std::string(card.name),
                            .shape = {gamma, 1, bonus},
                            .positions = positions,
                            .firsts = positions == 1};
            INFO(card.name << ", V=" << vocab << ", " << rows << " rows, γ=" << gamma << ", positions " << positions
                           << (bonus ? "" : ", no bonus"));
            play(Simulation(task, *tables, seed), Range{1000 * seed, 1000 * seed + (vocab > 2000 ? 100 : 500)});
          }
    }
}

/// Calls play(simulation, range) for large vocabularies, long drafts, many trials, and trial numbers at the ends of
/// words.
void for_long(auto const& play) {
  constexpr std::uint64_t last = ~std::uint64_t{0};
  struct Long {
    std::uint32_t vocab, rows;
    int gamma, positions;
    Range range;
  };
  constexpr Long all[] = {{262144, 1, 64, 2, {0, 200}},
                          {262144, 1, 8, 0, {0, 600'000}},  // picks have fractions of 14 bits: some fall on limits
                          {262144, 1, 3, 4, {0, 200'000}},
                          {3, 1, 256, 257, {0, 3000}},
                          {1025, 5, 256, 4, {7, 2000}},
                          {32, 1, 5, 6, {0, 400'000}},
                          {1024, 2, 5, 6, {0, 200'000}},
                          {4096, 1, 5, 6, {3, 200'000}},
                          {32, 1, 5, 6, {last - 5001, last}},
                          {2048, 3, 5, 0, {last - 5001, last}},
                          {64, 2, 6, 1, {0xfffff000, 0x100002345}}};
  for (Long const& c : all) {
    auto const tables = some_tables(Follow::independent, c.vocab, c.rows);
    INFO("V=" << c.vocab << ", γ=" << c.gamma);
    play(Simulation({.shape = {.gamma = c.gamma}, .positions = c.positions}, *tables, 0x123456789abcdef), c.range);
  }
}

}  // namespace draftgauge::testing
