#include "sim/play/trial.h"

#include <catch2/catch.hpp>

#include "sim/fast/engine.h"
#include "tests/cases.h"

using namespace draftgauge;
using draftgauge::testing::some_tables;

namespace {

/// The rows of these laws with their contexts written out as an automaton.
PairTables as_automaton(PairTables const& tables, std::vector<std::uint32_t> transitions) {
  std::vector<RowPair> rows;
  for (std::uint32_t i = 0; i < tables.rows(); ++i)
    rows.push_back(
        {{tables.p(i).begin(), tables.p(i).end()}, {tables.q(i).begin(), tables.q(i).end()}, tables.total(i)});
  return {rows, std::move(transitions)};
}

Tally played(Task const& task, PairTables const& tables) {
  return simulate(Simulation(task, tables, 11), {0, 500}, serial_backend(), 1).tally;
}

}  // namespace

TEST_CASE("automata that are other kinds of contexts have their tallies, bit for bit") {
  constexpr std::uint32_t vocab = 3;
  auto const pair = some_tables(Follow::token, vocab, vocab);
  auto const tree = some_tables(Follow::prefix, vocab, 40);  // depths 0 to 3
  auto const one = some_tables(Follow::independent, vocab, 1);
  std::vector<std::uint32_t> token, child;
  for (std::uint32_t row = 0; row < vocab; ++row)
    for (Token x = 0; x < vocab; ++x) token.push_back(x);
  for (std::uint32_t row = 0; row < tree->rows(); ++row)  // leaves lead anywhere: one round does not follow them
    for (Token x = 0; x < vocab; ++x) child.push_back(row * vocab + 1 + x < tree->rows() ? row * vocab + 1 + x : 0);
  for (RuleCard const& rule : rule_cards())
    for (bool const bonus : {true, false}) {
      CAPTURE(rule.name, bonus);
      Task task{.rule = std::string(rule.name), .shape = {3, rule.many_children ? 2 : 1, bonus}};
      task.positions = 4;
      task.gram = 2;
      task.rounds_per_trial = 9;
      CHECK(played(task, as_automaton(*pair, token)) == played(task, *pair));
      CHECK(played(task, as_automaton(*one, {0, 0, 0})) == played(task, *one));
      task.rounds_per_trial = 1;
      Task at_root = task;
      at_root.start = 0;
      Tally const by_prefix = played(task, *tree), by_state = played(at_root, as_automaton(*tree, child));
      CHECK(std::ranges::equal(by_prefix.counts(), by_state.counts()));
    }
}

TEST_CASE("rules for trees that are block verification on a chain have its tallies, bit for bit") {
  for (Follow const follow : {Follow::independent, Follow::token, Follow::next_row})
    for (bool const bonus : {true, false}) {
      auto const tables = some_tables(follow, 6, follow == Follow::next_row ? 60 : 6);
      Task task{.rule = "block", .shape = {4, 1, bonus}};
      task.positions = 5;
      task.gram = 2;
      task.rounds_per_trial = 9;
      Tally const block = played(task, *tables);
      for (auto const* rule : {"traversal", "traversal-without", "gbv:continue=1"}) {
        CAPTURE(rule, bonus, static_cast<int>(follow));
        task.rule = rule;
        CHECK(played(task, *tables) == block);
      }
    }
}

TEST_CASE("a gram may begin later in the trial") {
  auto const tables = some_tables(Follow::state, 3, 5);
  for (std::uint32_t from : {0u, 1u, 4u}) {
    CAPTURE(from);
    Task task{.shape = {.gamma = 2}};
    task.rounds_per_trial = 6;
    task.positions = 6;
    task.gram = 2;
    task.gram_from = from;
    Tally const tally = played(task, *tables);
    // Its marginals are the histograms of the two places, of which all trials have tokens.
    std::vector<std::uint64_t> first(3), second(3);
    for (std::size_t cell = 0; cell < 9; ++cell) {
      first[cell / 3] += tally.grams()[cell];
      second[cell % 3] += tally.grams()[cell];
    }
    CHECK(std::ranges::equal(first, tally.token_histogram(static_cast<int>(from))));
    CHECK(std::ranges::equal(second, tally.token_histogram(static_cast<int>(from) + 1)));
    CHECK(first[0] + first[1] + first[2] == 500);
  }
}
