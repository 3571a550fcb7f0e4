#include "analysis/frontier/stated.h"

#include <algorithm>
#include <limits>
#include <string>

#include "analysis/frontier/divergences.h"
#include "analysis/theory/position_row.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

double largest_ratio(std::vector<double> const& law, std::vector<double> const& p) {
  double most = 0;
  for (std::size_t x = 0; x < law.size(); ++x)
    if (law[x] > 0) most = std::max(most, p[x] > 0 ? law[x] / p[x] : std::numeric_limits<double>::infinity());
  return most;
}

std::vector<double> doubles(std::vector<Rational> const& law) {
  std::vector<double> all;
  for (Rational const& each : law) all.push_back(static_cast<double>(each));
  return all;
}

}  // namespace

std::optional<StatedBound> stated_bound(Call const& rule) {
  std::optional<StatedBound> bound;
  with_rule(rule, [&](auto const& called) {
    if constexpr (requires { called.stated(); }) bound = called.stated();
  });
  return bound;
}

double stated_limit(StatedBound const& bound) { return static_cast<double>(bound.most.num) / bound.most.den; }

double stated_left_side(StatedBound const& bound, std::vector<double> const& law, std::vector<double> const& p) {
  std::vector<long double> const output(law.begin(), law.end()), target(p.begin(), p.end());
  return bound.what == Stated::kl_to_target ? static_cast<double>(relative_entropy(output, target))
                                            : largest_ratio(law, p);
}

double stated_value(Call const& rule, std::vector<double> const& p, std::vector<double> const& q) {
  double value = 0;
  with_rule(rule, [&](auto const& called) {
    if constexpr (requires { called.stated(); }) {
      auto const law = called.emits(drafters::Sample(), PositionRow<double>(p, q));
      value = stated_left_side(called.stated(), {law.begin(), law.end()}, p);
    }
  });
  return value;
}

bool is_broken(StatedBound const& bound, double value) { return value > stated_limit(bound) * (1 + 1e-12) + 1e-15; }

std::optional<Check> check_stated_bound(Simulation const& simulation) {
  auto const bound = stated_bound(simulation.rule_called());
  if (!bound || simulation.task().drafter != drafters::Sample::card.name) return std::nullopt;
  PairTables const& tables = simulation.tables();
  double worst = 0;
  for (std::uint32_t row = 0; row < tables.rows(); ++row)
    worst = std::max(worst, stated_value(simulation.rule_called(), tables.target_probabilities(row),
                                         tables.draft_probabilities(row)));
  Check check;
  check.name = "bound at one position: " + std::string(bound->words);
  check.statement = "as its source states it";
  check.rule = simulation.task().rule;
  check.policy = simulation.task().policy;
  check.gamma = simulation.task().shape.gamma;
  check.closed_form = stated_limit(*bound);
  check.exact = worst;
  check.verdict = is_broken(*bound, worst) ? Verdict::fails : Verdict::holds;
  return check;
}

std::optional<BreakingTable> smallest_breaking(Call const& rule, std::uint32_t most_vocab) {
  auto const bound = stated_bound(rule);
  if (!bound) return std::nullopt;
  auto const value = [&](ExactModel::Row const& row) { return stated_value(rule, doubles(row.p), doubles(row.q)); };
  ForAllClaim claim;
  claim.distance = [&](ExactModel const& model, int) {
    return Rational(is_broken(*bound, value(model.row(0))) ? 1 : 0);
  };
  auto found = smallest_counterexample(claim, most_vocab);
  if (!found) return std::nullopt;
  double const at = value(found->row);
  return BreakingTable{std::move(found->row), at};
}

}  // namespace draftgauge
