#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "analysis/exact/exact.h"
#include "analysis/replay/rule_replay.h"
#include "sim/fast/engine.h"
#include "tests/models.h"
#include "tests/record_checks.h"

using namespace draftgauge;
using namespace draftgauge::testing;

// This program was built with the rule of docs/adding-a-rule.md in the list of rules.

TEST_CASE("adding a rule: the page's rule is in the list and is lossless") {
  Task task;
  task.rule = "cautious";
  CHECK(rule_card("cautious").lossless);
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    auto const model = random_prefix_model(seed, 3, 2);
    task.shape.gamma = 2;
    auto const round = exact_round(task, model);
    CHECK(total_variation(completed(round, model, 3), target_law(model, 3)) == 0);
  }
}

TEST_CASE("adding a rule: its record has every column, and each holds") {
  std::map<std::string, int> columns;  // with how often: the usual parameters, the least and the most
  for_each_column<rules::Cautious>([&](std::string const& column, std::string const& wrong) {
    CAPTURE(column);
    CHECK(wrong == "");
    ++columns[column];
  });
  CHECK(columns ==
        std::map<std::string, int>{
            {"acceptance by sample", 3}, {"equals token", 3}, {"at least token", 3}, {"lossless", 3}, {"replay", 3}});
}

TEST_CASE("adding a rule: its rounds are replayed along a text, without another line") {
  REQUIRE(rule_replay("cautious"));
  CHECK(rule_replay("cautious")->name == "cautious");
  CHECK(rule_replay("cautious")->kept(std::vector<double>{1, -HUGE_VAL}) == std::vector<double>{.5, 0});
}

TEST_CASE("adding a rule: what the page says of it") {
  Task task;
  task.rule = "cautious";
  task.shape.gamma = 1;
  CHECK(exact_round(task, reference_r()).acceptance() == Rational(7, 20));
  PairTables const tables = integer_tables(reference_r());
  Simulation const simulation(task, tables, 1);
  auto const serial = simulate(simulation, {0, 20'000}, serial_backend(), 1);
  auto const threads = simulate(simulation, {0, 20'000}, cpu_backend(), 3);
  CHECK(serial.tally == threads.tally);
  // 20 000 rounds at P(τ = 1) = .35: beyond 6 standard deviations, .0203, with probability 2e-9.
  CHECK(static_cast<double>(serial.tally.accepted()[1]) / 20'000 == Approx(.35).margin(.0203));
}
