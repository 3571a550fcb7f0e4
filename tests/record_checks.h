#pragma once
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "analysis/exact/enumerate_round.h"
#include "analysis/theory/position_row.h"
#include "sim/rules/list.h"
#include "sim/task/record.h"
#include "sim/task/with_rule.h"
#include "tests/models.h"

/// Every column of a rule's record (sim/task/record.h) against enumeration. A check says where the claim is wrong, in
/// words, or nothing.
namespace draftgauge::testing {

/// Zeros and ties, p = q, certain laws, laws apart; V = 2 and 3. p is uniform nowhere: it would tie with exp(−H(p)),
/// which only fractions tell.
inline std::vector<ExactModel::Row> record_rows() {
  return {row({1, 2}, {2, 1}),       row({1, 0}, {1, 3}),       row({2, 3}, {0, 1}),       row({2, 3}, {2, 3}),
          row({3, 4, 3}, {6, 3, 1}), row({1, 6, 3}, {5, 3, 2}), row({0, 1, 2}, {1, 1, 1}), row({2, 3, 4}, {1, 0, 0}),
          row({0, 1, 0}, {3, 1, 1}), row({1, 2, 0}, {0, 1, 2}), row({5, 3, 1}, {5, 3, 1}), row({0, 0, 1}, {1, 1, 0}),
          row({2, 2, 1}, {1, 2, 2})};
}
/// One context each, and laws that depend on the text.
inline std::vector<ExactModel> record_models() {
  std::vector<ExactModel> models;
  for (ExactModel::Row const& each : record_rows()) models.push_back({Follow::independent, {each}});
  for (std::uint32_t const seed : {1u, 2u}) models.push_back(random_prefix_model(seed, 2, 2));
  models.push_back(random_prefix_model(3, 3, 2));
  return models;
}

/// The rule with its standard parameters, and at the ends of their ranges.
template <class Rule>
std::vector<Rule> with_parameters() {
  Parameters const standard = standard_values(Rule::card.parameters);
  Parameters least, most;
  for (std::size_t i = 0; i < Rule::card.parameters.size(); ++i) {
    ParameterCard const& card = Rule::card.parameters[i];
    least.value[i] = card.least;
    most.value[i] = card.most;
  }
  if (Rule::card.parameters.empty()) return {rule_with<Rule>(standard)};
  return {rule_with<Rule>(standard), rule_with<Rule>(least), rule_with<Rule>(most)};
}

/// A round of any rule, in the list or not, by that drafter.
template <class Rule>
ExactRound round_by(std::string_view drafter, Rule const& rule, ExactModel const& model, RoundShape const& shape) {
  Task drafts = task("token", shape.gamma);
  drafts.drafter = drafter;
  return enumerate_round(rule, drafting_of(drafts), shape, model, 0, 10'000'000);
}

/// Whether so many drafts of a position can be had from the drafter, by that rule.
template <class Rule>
bool takes(DrafterCard const& drafter, int k, std::uint32_t vocab) {
  return (k == 1 || Rule::card.many_children) && (!drafter.distinct || static_cast<std::uint32_t>(k) <= vocab);
}

inline std::string where(ExactModel const& model, int gamma, int k) {
  std::string words = fmt::format("γ = {}, k = {}, first row", gamma, k);
  for (auto const* law : {&model.row(0).p, &model.row(0).q})
    for (Rational const& entry : *law) words += (&entry == law->data() ? " | " : ", ") + entry.str();
  return words;
}

/// Calls f(model, shape) for every model and shape on which rounds of k drafts a position are compared. Of rules that
/// look at the whole draft every answer at every node is followed, which is too much for three children below each of
/// three.
template <class Rule, class F>
std::string on_rounds(DrafterCard const& drafter, F const& wrong) {
  for (ExactModel const& model : record_models())
    for (int gamma = 1; gamma <= 2; ++gamma)
      for (int k = 1; k <= 3; ++k)
        if (takes<Rule>(drafter, k, model.contexts().vocab) && (Rule::shape == Shape::node || gamma * k < 6) &&
            wrong(model, RoundShape{gamma, k, true}))
          return where(model, gamma, k);
  return {};
}

template <class Rule, class Drafter>
constexpr bool says_acceptance =
    requires(Rule const& rule, PositionRow<Rational> const& row) { rule.acceptance(Drafter(), row, 1); };

template <class Drafter, class Rule>
std::string wrong_acceptance(Rule const& rule) {
  for (ExactModel::Row const& row : record_rows())
    for (int k = 1; k <= 3; ++k) {
      ExactModel const model{Follow::independent, {row}};
      if (!takes<Rule>(Drafter::card, k, model.contexts().vocab)) continue;
      Rational const truth = round_by(Drafter::card.name, rule, model, {1, k, false}).acceptance();
      std::vector<double> p, q;
      for (Rational const& entry : row.p) p.push_back(static_cast<double>(entry));
      for (Rational const& entry : row.q) q.push_back(static_cast<double>(entry));
      auto const real = static_cast<double>(rule.acceptance(Drafter(), PositionRow<double>(p, q), k));
      if (rule.acceptance(Drafter(), PositionRow<Rational>(row.p, row.q), k) != truth ||
          !(std::abs(real - static_cast<double>(truth)) < 1e-12))
        return where(model, 1, k);
    }
  return {};
}

template <class Rule, class Drafter>
constexpr bool says_emits = requires(Rule const& rule, PositionRow<Rational> const& row) { rule.emits(Drafter(), row); };

/// A round's first token, by fractions and by doubles.
template <class Drafter, class Rule>
std::string wrong_emits(Rule const& rule) {
  for (ExactModel::Row const& row : record_rows()) {
    ExactModel const model{Follow::independent, {row}};
    std::uint32_t const vocab = model.contexts().vocab;
    auto const truth = marginal(completed(round_by(Drafter::card.name, rule, model, {1, 1, true}), model, 1), 0, vocab);
    std::vector<double> p, q;
    for (Rational const& entry : row.p) p.push_back(static_cast<double>(entry));
    for (Rational const& entry : row.q) q.push_back(static_cast<double>(entry));
    auto const law = rule.emits(Drafter(), PositionRow<Rational>(row.p, row.q));
    auto const real = rule.emits(Drafter(), PositionRow<double>(p, q));
    for (Token x = 0; x < vocab; ++x)
      if (law[x] != truth[x] || !(std::abs(static_cast<double>(real[x]) - static_cast<double>(truth[x])) < 1e-12))
        return where(model, 1, 1);
  }
  return {};
}

template <class Other, class Rule>
std::string wrong_equals(Rule const& rule) {
  return on_rounds<Rule>(drafter_card(Rule::card.drafter), [&](ExactModel const& model, RoundShape const& shape) {
    if (!rule.equals(As<Other>(), shape.branching)) return false;
    auto const own = round_by(Rule::card.drafter, rule, model, shape),
               other = round_by(Rule::card.drafter, with_parameters<Other>().front(), model, shape);
    return own.emitted != other.emitted || own.accepted != other.accepted;
  });
}

template <class Other, class Rule>
std::string wrong_at_least(Rule const& rule) {
  return on_rounds<Rule>(drafter_card(Rule::card.drafter), [&](ExactModel const& model, RoundShape const& shape) {
    return rule.at_least(As<Other>(), shape.branching) &&
           round_by(Rule::card.drafter, rule, model, shape).mean_accepted() <
               round_by(Rule::card.drafter, with_parameters<Other>().front(), model, shape).mean_accepted();
  });
}

template <class Rule>
std::string wrong_lossless(Rule const& rule) {
  return on_rounds<Rule>(drafter_card(Rule::card.drafter), [&](ExactModel const& model, RoundShape const& shape) {
    bool one_hot = true;
    for (std::uint32_t i = 0; i < model.contexts().rows; ++i)
      one_hot = one_hot && std::ranges::count(model.row(i).p, Rational(1)) == 1;
    if (!known_lossless(rule, one_hot)) return false;
    ExactModel const reference = referred(model, Rule::card.reference);
    auto const round = round_by(Rule::card.drafter, rule, model, shape);
    return completed(round, reference, shape.gamma + 1) != target_law(reference, shape.gamma + 1);
  });
}

/// P(the first i tokens are x^i, and all are kept drafts) is P(x^i) Π kept, for every i ≤ γ and every x^i.
template <class Rule>
std::string wrong_replay(Rule const& rule) {
  using Replay = typename Rule::Replay;
  return on_rounds<Rule>(Replay::Drafter::card, [&](ExactModel const& model, RoundShape const& shape) {
    if (shape.branching > 1) return false;
    ExactModel const reference = referred(model, Rule::card.reference);
    ExactRound const round = round_by(Replay::Drafter::card.name, rule, model, shape);
    for (int i = 1; i <= shape.gamma; ++i)
      for (auto const& [text, probability] : target_law(reference, i)) {
        double kept = static_cast<double>(probability), seen = 0;
        Replay replay = replay_of(rule);
        std::uint32_t context = 0;
        for (Token const x : text) {
          auto const& [p, q] = model.row(context);
          if constexpr (std::is_same_v<Replay, rules::KeptWhereHit>)
            kept *= replay.kept(x == static_cast<Token>(std::ranges::max_element(q) - q.begin()));
          else
            kept *= replay.kept(std::log(static_cast<double>(q[x])) - std::log(static_cast<double>(p[x])));
          context = model.contexts().after(context, x);
        }
        for (auto const& [tokens, chance] : round.emitted)
          if (tokens.size() > text.size() && std::equal(text.begin(), text.end(), tokens.begin()))
            seen += static_cast<double>(chance);
        if (!(std::abs(kept - seen) < 1e-12)) return true;
      }
    return false;
  });
}

/// Calls check(column, words) for every column that the rule has.
template <class Rule, class Check>
void for_each_column(Check const& check) {
  for (Rule const& rule : with_parameters<Rule>()) {
    for_each_type(Drafters(), [&]<class Drafter>() {
      if constexpr (says_acceptance<Rule, Drafter>)
        check("acceptance by " + std::string(Drafter::card.name), wrong_acceptance<Drafter>(rule));
      if constexpr (says_emits<Rule, Drafter>)
        check("emits by " + std::string(Drafter::card.name), wrong_emits<Drafter>(rule));
    });
    for_each_type(Rules(), [&]<class Other>() {
      std::string const other(Other::card.name);
      if constexpr (requires { rule.equals(As<Other>(), 1); }) check("equals " + other, wrong_equals<Other>(rule));
      if constexpr (requires { rule.at_least(As<Other>(), 1); })
        check("at least " + other, wrong_at_least<Other>(rule));
    });
    if (known_lossless(rule, true)) check("lossless", wrong_lossless(rule));
    if constexpr (Replayed<Rule>) check("replay", wrong_replay(rule));
  }
}

}  // namespace draftgauge::testing
