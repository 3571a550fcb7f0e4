#include "analysis/theory/rule_acceptance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/play/trial.h"
#include "sim/task/record.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

/// A faulty rule may be a right one with other drafts or noise, and inherits what that one says: it is of the
/// wrong one where none of these differs.
template <class Rule, class Drafter>
concept AcceptanceKnown = requires(Rule const& rule, PositionRow<double> const& row) {
  rule.acceptance(Drafter(), row, 1);
} && (!Rule::card.counterexample || (Rule::card.drafter == Drafter::card.name && !frozen_noise<Rule>));

/// The fraction of least denominator between the two, 0 < low ≤ high (Stern and Brocot's tree).
Rational simplest_between(Rational const& low, Rational const& high) {
  Rational const whole(numerator(low) / denominator(low));
  if (whole == low) return low;
  if (whole + 1 <= high) return whole + 1;
  return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole));
}

template <class Rule, class Drafter>
std::optional<Rational> exact(Acceptance<Rational> const& a, int k, Parameters const& values) {
  if constexpr (requires { Rule::irrational; }) {
    return std::nullopt;
  } else if constexpr (requires { Rule::rho(a.row(), k); }) {  // a root, which the simplest fraction of its bracket may be
    auto const [low, high] = Rule::rho(a.row(), k);
    Rational const rho = simplest_between(low, high);
    return Rule::solves(a.row(), k, rho) ? std::optional(Rule::acceptance_at(a.row(), k, rho)) : std::nullopt;
  } else {
    return a.template of<Drafter>(rule_with<Rule>(values), k);
  }
}

/// What the rule's file says that a position emits.
template <class Rule, class Drafter>
auto emitted_by_rule() -> std::vector<double> (*)(Acceptance<double> const&, Parameters const&) {
  if constexpr (requires(Rule const& rule, PositionRow<double> const& row) { rule.emits(Drafter(), row); })
    return [](Acceptance<double> const& a, Parameters const& values) {
      auto const law = rule_with<Rule>(values).emits(Drafter(), a.row());
      return std::vector<double>(law.begin(), law.end());
    };
  else
    return nullptr;
}

template <class Drafter>
concept SumsOrders = requires { Drafter::sums_orders; };

template <class Rule, class Drafter>
AcceptanceFormula formula() {
  auto const accepted = [](Acceptance<double> const& a, int k, Parameters const& values) {
    return a.of<Drafter>(rule_with<Rule>(values), k);
  };
  return {Rule::card.name,      Drafter::card.name,   accepted, exact<Rule, Drafter>, emitted_by_rule<Rule, Drafter>(),
          Rule::card.reference, SumsOrders<Drafter>};
}

constexpr double most_work = 1e8;  // entries of rows, times orders

}  // namespace

std::span<AcceptanceFormula const> acceptance_formulas() {
  static std::vector<AcceptanceFormula> const known = [] {
    std::vector<AcceptanceFormula> all;
    for_each_type(AllRules(), [&]<class Rule>() {
      for_each_type(Drafters(), [&]<class Drafter>() {
        if constexpr (AcceptanceKnown<Rule, Drafter>) all.push_back(formula<Rule, Drafter>());
      });
    });
    return all;
  }();
  return known;
}

double terms_of_row(bool orders, int branching, std::uint32_t vocab) {
  return vocab * (orders ? std::pow(vocab, branching - 1) : 1.0);
}

bool takes_terms(bool orders, int branching, std::uint32_t vocab) {
  return terms_of_row(orders, branching, vocab) <= DraftOrders<Rational>::most * vocab;
}

double AcceptanceFormula::work(int branching, std::uint32_t vocab) const {
  return terms_of_row(orders, branching, vocab);
}

bool AcceptanceFormula::covers(int branching, std::uint32_t vocab) const {
  if (branching > 1 && !rule_card(rule).many_children) return false;
  if (drafter_card(drafter).distinct && static_cast<std::uint32_t>(branching) > vocab) return false;
  return takes_terms(orders, branching, vocab);
}

bool lossless_for(std::string_view rule, Parameters const& values, bool one_hot_p) {
  Call call = rule_call(rule);
  call.values = values;
  bool lossless = false;
  with_rule(call, [&](auto const& called) { lossless = known_lossless(called, one_hot_p); });
  return lossless && (one_hot_p || rule_card(rule).reference == Reference::target);
}

std::optional<double> mean_rule_acceptance(Simulation const& simulation, int branching) {
  Task const& task = simulation.task();
  PairTables const& tables = simulation.tables();
  int const k = branching;
  auto const found = std::ranges::find_if(acceptance_formulas(), [&](AcceptanceFormula const& entry) {
    return entry.rule == simulation.rule().name && entry.drafter == task.drafter;
  });
  if (found == acceptance_formulas().end()) return std::nullopt;
  if (!found->covers(k, tables.vocab()) || found->work(k, tables.vocab()) * tables.rows() > most_work)
    return std::nullopt;
  double sum = 0;
  for (std::uint32_t row = 0; row < tables.rows(); ++row) {
    Acceptance<double> const here(tables.target_probabilities(row), tables.draft_probabilities(row));
    sum += found->accepted(here, k, simulation.rule_called().values);
  }
  return sum / tables.rows();
}

}  // namespace draftgauge
