#include <fmt/format.h>

#include <memory>

#include "bench/baselines.h"
#include "bench/measure.h"
#include "sim/sources/source.h"
#include "sim/trial.h"

namespace draftgauge::bench {
namespace {

constexpr char const* dense = "dense verifier";

std::vector<RuleCard> lossless_rules() {
  std::vector<RuleCard> rules;
  for (RuleCard const& card : rule_cards())
    if (card.lossless) rules.push_back(card);
  return rules;
}

/// A rule on the engine, which keeps its simulation.
Contender rule_on_engine(RuleCard const& card, Laws const& laws, std::uint64_t seed) {
  Task task{.rule = std::string(card.name), .shape = {.gamma = gamma}};
  if (card.many_candidates) task.shape.candidates = rules_candidates;
  auto const simulation = std::make_shared<Simulation>(std::move(task), laws, seed);
  Player const play = engine_on(vector_target()).prepare(*simulation, 1);
  auto const tally = std::make_shared<Tally>(simulation->plan().tally);
  play({0, rounds_to_be_ready(*simulation)}, *tally);
  return contender(std::string(card.name), cpu_seconds,
                   [play, simulation, tally](std::uint64_t rounds) { play({0, rounds}, *tally); });
}

Contender plain(std::string name, RoundPlayer const& play, std::uint32_t vocab) {
  auto const counts = std::make_shared<RoundCounts>(gamma, vocab, false);
  return contender(std::move(name), cpu_seconds, [=](std::uint64_t rounds) { play(rounds, *counts); }, 16);
}

}  // namespace

std::vector<Row> measure_rules(RulesCase const& c, Setup const& setup) {
  Source const source = open_source(fmt::format("exact-alpha:vocab={},alpha={}", c.vocab, alpha));
  LawPair const laws = law_pair(source.laws, 0);
  std::vector<Contender> field = {plain(dense, dense_verifier(laws, gamma, setup.seed), c.vocab),
                                  plain("textbook", textbook(laws, gamma, setup.seed), c.vocab)};
  for (RuleCard const& card : lossless_rules()) field.push_back(rule_on_engine(card, source.laws, setup.seed));
  race(field, setup.length);
  std::vector<Row> rows;
  for (std::size_t i = 1; i < field.size(); ++i) {
    rows.push_back(compared(title_of(c), field, field[i].name, dense, "rounds/s"));
    if (i > 1) rows.back().rate_goal = c.goal;
  }
  return rows;
}

}  // namespace draftgauge::bench
