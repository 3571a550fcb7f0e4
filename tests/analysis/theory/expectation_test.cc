#include "analysis/theory/expectation.h"

#include <catch2/catch.hpp>

#include "sim/fast/engine.h"
#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("Eq. (1), enumeration and each other agree where contexts are independent") {
  PairTables const tables = integer_tables({Follow::independent, {row({1, 2}, {2, 1}), row({3, 1}, {1, 3})}});
  CHECK(mean_beta(tables) == Approx(7. / 12));
  for (bool bonus : {true, false}) {
    CAPTURE(bonus);
    Simulation const simulation(task("token", 3, 1, bonus), tables, 1);
    auto const closed = closed_form_tokens(simulation);
    REQUIRE(closed);
    CHECK(closed->origin == "Eq. (1)");
    auto const exact = exact_tokens(simulation);
    REQUIRE(exact);
    CHECK(closed->value == Approx(exact->value).epsilon(1e-14));
    auto const law = closed_form_tokens_law(simulation), by_paths = exact_tokens_law(simulation);
    REQUIRE(law->size() == by_paths->size());
    for (std::size_t i = 0; i < law->size(); ++i) CHECK((*law)[i] == Approx((*by_paths)[i]).epsilon(1e-13));
  }
}

TEST_CASE("a Markov pair's closed form is the enumeration's") {
  ExactModel const model{Follow::token, {row({1, 3}, {2, 1}), row({5, 2}, {1, 4})}};
  PairTables const tables = integer_tables(model);
  Task pair = task("token", 2);
  pair.rounds_per_trial = 7;
  for (auto start : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(1)}) {
    pair.start = start;
    Simulation const simulation(pair, tables, 1);
    CHECK(closed_form_tokens(simulation)->value == Approx(exact_tokens(simulation)->value).epsilon(1e-13));
  }
  // A block has no closed form here, but every path of its rounds can be followed.
  Simulation const block(task("block", 2), tables, 1);
  CHECK_FALSE(closed_form_tokens(block));
  CHECK(exact_tokens(block)->value > exact_tokens(Simulation(task("token", 2), tables, 1))->value);
}

TEST_CASE("the long run of a Markov pair is the limit of trials") {
  ExactModel const model{Follow::token, {row({1, 3}, {2, 1}), row({5, 2}, {1, 4})}};
  PairTables const tables = integer_tables(model);
  Task pair = task("token", 2);
  pair.rounds_per_trial = 1 << 18;
  CHECK(*long_run_tokens(tables, 2, true) ==
        Approx(closed_form_tokens(Simulation(pair, tables, 1))->value).epsilon(1e-5));
  // Two tokens that never meet: where the text starts decides for ever.
  ExactModel const apart{Follow::token, {row({1, 0}, {1, 1}), row({0, 1}, {1, 3})}};
  CHECK_FALSE(long_run_tokens(integer_tables(apart), 2, true));
  CHECK_FALSE(long_run_tokens(integer_tables(reference_r()), 2, true));
}

TEST_CASE("candidates: one node's acceptance gives every γ") {
  PairTables const tables = integer_tables(reference_r());
  Simulation const simulation(task("recursive-without", 3, 2), tables, 1);
  CHECK(exact_tokens(simulation)->value == Approx(1 + .875 + .875 * .875 + .875 * .875 * .875));
}

TEST_CASE("what is out of reach is not answered") {
  PairTables const tables = integer_tables(reference_r());
  CHECK_FALSE(exact_tokens(Simulation(task("block", 8), tables, 1), 1000));
  CHECK_FALSE(closed_form_tokens(Simulation(task("block", 8), tables, 1)));
  CHECK_FALSE(closed_form_tokens_law(Simulation(task("block", 8), tables, 1)));
}
