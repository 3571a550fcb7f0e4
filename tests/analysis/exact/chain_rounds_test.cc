#include "analysis/exact/chain_rounds.h"

#include <catch2/catch.hpp>

#include "analysis/theory/expectation.h"
#include "analysis/theory/markov.h"
#include "tests/analysis/mean_of_first.h"
#include "tests/message.h"
#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;
using Eigen::MatrixXd;

TEST_CASE("automata: sums over transitions, over matrices of contexts, and every path of answers agree") {
  for (std::uint32_t seed = 1; seed <= 4; ++seed)
    for (bool const bonus : {true, false}) {
      CAPTURE(seed, bonus);
      PairTables const tables = integer_tables(random_automaton(seed, 2));
      Task played = task("token", 3, 1, bonus);
      played.rounds_per_trial = 6;
      played.start = seed % 4;
      Simulation const simulation(played, tables, 1);
      double const by_transitions = chain_tokens_per_round(tables, played.shape, simulation.starts(), 6);
      MarkovRounds const by_matrices = MarkovRounds::of(tables, played.shape.gamma, bonus);
      CHECK(by_transitions == Approx(mean_of_first(by_matrices, 6, *played.start)).epsilon(1e-13));
      auto const exact = exact_tokens(simulation);
      REQUIRE(exact);
      CHECK(by_transitions == Approx(exact->value).epsilon(1e-13));
      CHECK(closed_form_tokens(simulation)->value == by_transitions);
      CHECK(closed_form_tokens(simulation)->origin == "automaton");
    }
}

TEST_CASE("an automaton whose contexts are the tokens is a Markov pair") {
  ExactModel const pair{Follow::token, {row({1, 3}, {2, 1}), row({5, 2}, {1, 4})}};
  ExactModel const automaton{Follow::state, {pair.row(0), pair.row(1)}, {0, 1, 0, 1}};
  PairTables const a = integer_tables(pair), b = integer_tables(automaton);
  CHECK(*long_run_tokens(a, 3, true) == Approx(*long_run_tokens(b, 3, true)).epsilon(1e-14));
  MarkovRounds const by_token = MarkovRounds::of(a, 3), by_state = MarkovRounds::of(b, 3);
  CHECK(by_state.kernel().isApprox(by_token.kernel(), 1e-14));
  CHECK(by_state.mean_tokens().isApprox(by_token.mean_tokens(), 1e-14));
  std::uint32_t const starts[] = {0, 1};
  CHECK(chain_tokens_per_round(a, {.gamma = 3}, starts, 5) == chain_tokens_per_round(b, {.gamma = 3}, starts, 5));
}

TEST_CASE("the long run of an automaton is the limit of trials") {
  PairTables const tables = integer_tables(random_automaton(7, 3));
  std::uint32_t const starts[] = {0};
  CHECK(*long_run_tokens(tables, 2, true) ==
        Approx(chain_tokens_per_round(tables, {.gamma = 2}, starts, 20'000)).epsilon(1e-4));
}

TEST_CASE("matrices of an automaton that do not fit are refused") {
  MatrixXd const rows = MatrixXd::Constant(2, 2, .5);
  std::vector<std::uint32_t> const short_list = {0, 1, 0}, outside = {0, 1, 2, 0};
  for (auto const* transitions : {&short_list, &outside})
    CHECK(message<InputError>([&] { MarkovRounds(rows, rows, *transitions, 2); }) ==
          "the matrices are 2x2 and 2x2 with " + std::to_string(transitions->size()) +
              " transitions (an automaton's have one row a context and one column a token, each of which leads to a "
              "context) give two matrices of one size and as many transitions as entries, below 2");
}
