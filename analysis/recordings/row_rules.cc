#include "analysis/recordings/row_rules.h"

#include "analysis/frontier/one_place.h"
#include "analysis/frontier/stated.h"
#include "analysis/recordings/row_walk.h"
#include "sim/lossy/lenient.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

/// Terms of a formula that a row may cost, so that thousands of rows stay within minutes.
constexpr double most_terms = 1e8;

bool short_enough(AcceptanceFormula const& formula, int branching, std::uint32_t vocab) {
  return formula.covers(branching, vocab) && formula.work(branching, vocab) <= most_terms;
}

Parameters parameters_of(std::string_view rule, std::optional<Ratio> const& lenience) {
  auto const cards = rule_card(rule).parameters;
  Parameters values = standard_values(cards);
  for (std::size_t i = 0; lenience && i < cards.size(); ++i)
    if (cards[i].name == rules::lenience.name) values.value[i] = *lenience;
  return values;
}

std::vector<RowRule> rules_to_ask(std::span<int const> branching, std::uint64_t vocab,
                                  std::vector<std::uint32_t> const& sequences, std::optional<Ratio> const& lenience) {
  std::vector<std::vector<double>> rows;
  for (std::uint32_t const length : sequences) rows.emplace_back(length);
  std::vector<RowRule> rules;
  for (AcceptanceFormula const& formula : acceptance_formulas())
    for (int const k : branching) {
      auto const tokens = static_cast<std::uint32_t>(vocab);
      if (!short_enough(formula, k, tokens)) continue;
      RowRule& rule = rules.emplace_back(RowRule{formula, k, parameters_of(formula.rule, lenience), rows});
      if (!formula.emitted || k > 1 || lossless_for(formula.rule, rule.values, false)) continue;
      rule.losses = {rows, rows, rows};
      Call call = rule_call(formula.rule);
      call.values = rule.values;
      rule.stated = stated_bound(call);
    }
  return rules;
}

void add_losses(RowRule& rule, Acceptance<double> const& here, RowPlace const& at) {
  std::vector<double> const law = rule.formula.emitted(here, rule.values), p(at.p.begin(), at.p.end()),
                            q(at.q.begin(), at.q.end());
  double const distance = total_variation(law, p), accepted = rule.accepted[at.sequence][at.position];
  rule.losses->distance[at.sequence][at.position] = distance;
  double const wasted = acceptance_at_distance(p, q, distance) - accepted;
  rule.losses->wasted[at.sequence][at.position] = wasted > 1e-12 ? wasted : 0;  // below it is rounding
  if (rule.stated)
    rule.losses->broken[at.sequence][at.position] = is_broken(*rule.stated, stated_left_side(*rule.stated, law, p));
}

}  // namespace

std::vector<UnaskedRule> unasked_rules(std::span<int const> branching, std::uint64_t vocab) {
  std::vector<UnaskedRule> unasked;
  for (AcceptanceFormula const& formula : acceptance_formulas())
    for (int const k : branching)
      if (formula.orders && static_cast<std::uint64_t>(k) <= vocab &&
          !short_enough(formula, k, static_cast<std::uint32_t>(vocab)))
        unasked.push_back({formula.rule, k});
  return unasked;
}

std::vector<RowRule> rules_at_rows(RowPairs& pairs, SamplingParameters const& target, SamplingParameters const& draft,
                                   std::span<int const> branching, std::optional<Ratio> lenience, int threads,
                                   std::function<void(std::uint64_t)> const& progress,
                                   std::function<bool(AcceptanceFormula const&, int)> const& wanted) {
  std::vector<RowRule> rules = rules_to_ask(branching, pairs.target->layout().vocab, pairs.sequences, lenience);
  if (wanted) std::erase_if(rules, [&](RowRule const& rule) { return !wanted(rule.formula, rule.branching); });
  bool const greedy_target = target.temperature == 0;
  auto const visit = [&](RowPlace const& at) {
    std::vector<double> soft(greedy_target ? at.p.size() : 0);
    if (greedy_target) truncate({}, at.p, soft);
    truncate(target, at.p, at.p);
    truncate(draft, at.q, at.q);
    Acceptance<double> const tables(at.p, at.q);
    std::optional<Acceptance<double>> before;  // p was made one-hot
    if (greedy_target) before.emplace(soft, at.q);
    for (RowRule& rule : rules) {
      bool const of_argmax = greedy_target && rule.formula.reference == Reference::argmax;
      rule.accepted[at.sequence][at.position] =
          rule.formula.accepted(of_argmax ? *before : tables, rule.branching, rule.values);
      if (rule.losses) add_losses(rule, tables, at);
    }
  };
  walk_rows(pairs, threads, visit, progress);
  return rules;
}

}  // namespace draftgauge
