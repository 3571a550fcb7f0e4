#include "analysis/exact/output_law.h"

#include <catch2/catch.hpp>

#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::optional<std::vector<double>> law_of(ExactModel const& model, std::uint32_t rounds, int gram,
                                          std::optional<std::uint32_t> start = std::nullopt) {
  Task task;
  task.shape.gamma = 1;
  task.rounds_per_trial = rounds;
  task.start = start;
  PairTables const tables = integer_tables(model);
  return target_gram_law(Simulation(task, tables, 1), gram);
}

void check_law(std::optional<std::vector<double>> const& law, std::vector<double> const& expected) {
  REQUIRE(law);
  REQUIRE(law->size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK((*law)[i] == Approx(expected[i]));
}

}  // namespace

TEST_CASE("independent contexts: tokens are draws from the mean of p") {
  ExactModel const iid{Follow::independent, {row({1, 1}, {1, 1}), row({1, 0}, {1, 1})}};
  check_law(law_of(iid, 2, 1), {.75, .25});
  check_law(law_of(iid, 2, 2), {.5625, .1875, .1875, .0625});
}

TEST_CASE("a Markov pair: tokens follow the chain of p") {
  ExactModel const pair{Follow::token, {row({1, 1}, {1, 1}), row({1, 0}, {1, 1})}};
  check_law(law_of(pair, 2, 2, 1), {.5, .5, 0, 0});
  check_law(law_of(pair, 2, 1), {.75, .25});  // either row, equally likely
}

TEST_CASE("later tokens have the distribution that the target's chain brings there") {
  // By enumeration of all texts of six tokens, for an automaton that remembers two of them.
  std::vector<ExactModel::Row> rows;
  std::vector<std::uint32_t> transitions;
  for (std::uint32_t s = 0; s < 4; ++s) {
    rows.push_back(row({static_cast<int>(s) + 1, 2}, {1, 1}));
    for (Token x = 0; x < 2; ++x) transitions.push_back(s % 2 * 2 + x);
  }
  ExactModel const automaton{Follow::state, rows, transitions};
  ExactModel const pair{Follow::token, {row({1, 3}, {1, 1}), row({5, 2}, {1, 1})}};
  for (ExactModel const* model : {&automaton, &pair})
    for (std::uint32_t from : {0u, 1u, 4u}) {
      CAPTURE(from);
      PairTables const tables = integer_tables(*model);
      Task task;
      task.rounds_per_trial = 6;
      task.start = 1;
      std::vector<double> expected(4, 0);
      for (auto const& [tokens, probability] : target_law(*model, 6, 1))
        expected[2 * tokens[from] + tokens[from + 1]] += static_cast<double>(probability);
      check_law(target_gram_law(Simulation(task, tables, 1), 2, from), expected);
      // Six rounds may be six tokens, and no more.
      CHECK_FALSE(target_gram_law(Simulation(task, tables, 1), 2, 5));
    }
  ExactModel const iid{Follow::independent, {row({1, 1}, {1, 1}), row({1, 0}, {1, 1})}};
  Task task;
  task.rounds_per_trial = 6;
  PairTables const tables = integer_tables(iid);
  check_law(target_gram_law(Simulation(task, tables, 1), 1, 4), {.75, .25});
}

TEST_CASE("along a text only the first token of a trial is a random sample") {
  ExactModel const path{Follow::next_row, {row({1, 1}, {1, 1}), row({1, 0}, {1, 1}), row({0, 1}, {1, 1})}};
  check_law(law_of(path, 64, 1), {.75, .25});  // rows 0 and 1: from row 2 there is no row for γ = 1
  CHECK_FALSE(law_of(path, 64, 2));
}

TEST_CASE("a trial of one round may end before its second token") { CHECK_FALSE(law_of(reference_r(), 1, 2)); }
