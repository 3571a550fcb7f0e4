#include <fmt/format.h>

#include "bench/baselines/baselines.h"
#include "bench/measure.h"
#include "bench/round_contenders.h"
#include "sim/sources/source.h"

namespace draftgauge::bench {
namespace {

std::vector<RuleCard> lossless_rules() {
  std::vector<RuleCard> rules;
  for (RuleCard const& card : rule_cards())
    if (card.lossless) rules.push_back(card);
  return rules;
}

Contender rule_contender(RuleCard const& card, PairTables const& tables, std::uint64_t seed) {
  Task task{.rule = std::string(card.name), .shape = {.gamma = gamma}};
  if (card.many_children) task.shape.branching = rules_children;
  return engine_contender(std::string(card.name), std::move(task), tables, seed);
}

}  // namespace

std::vector<Row> measure_rules(RulesCase const& c, Setup const& setup) {
  Source const source = open_source(fmt::format("exact-alpha:vocab={},alpha={}", c.vocab, alpha));
  LawPair const tables = law_pair(source.tables, 0);
  std::vector<Contender> field = {plain_contender(dense, dense_verifier(tables, gamma, setup.seed), gamma),
                                  plain_contender("textbook", textbook(tables, gamma, setup.seed), gamma)};
  for (RuleCard const& card : lossless_rules()) field.push_back(rule_contender(card, source.tables, setup.seed));
  race(field, setup.length);
  std::vector<Row> rows;
  for (std::size_t i = 1; i < field.size(); ++i) {
    rows.push_back(compared(title_of(c), field, field[i].name, dense, rounds_per_second));
    if (i > 1) rows.back().rate_goal = c.goal;
  }
  return rows;
}

}  // namespace draftgauge::bench
