#pragma once
#include <map>
#include <vector>

#include "analysis/exact/enumerate_round.h"
#include "analysis/exact/enumerator.h"
#include "analysis/proof/for_all.h"
#include "sim/model/argmax.h"
#include "sim/play/round.h"

namespace draftgauge {
namespace identities {

/// The model with the number that the rule derives from each row, computed from the values and moved up by
/// free·2^-41: a variable of its own, as k-SEQ's ρ may be anything in [ρ*, ρ* + 2^-40] and more.
template <class Rule>
TableModel<Traced> with_free_constants([[maybe_unused]] Rule const& rule, TableModel<Traced> const& model,
                                       int branching, Traced const& free) {
  if constexpr (!has_row_constant<Rule>) {
    return model;
  } else {
    std::vector<Traced> constants(static_cast<std::size_t>(branching - 1) * model.contexts().rows);
    Children const none;
    Rational const step(1, Integer(1) << 41);
    for (std::uint32_t i = 0; i < model.contexts().rows; ++i) {
      ExactModel::Row values;
      for (Traced const& p : model.row(i).p) values.p.push_back(p.value());
      for (Traced const& q : model.row(i).q) values.q.push_back(q.value());
      ExactModel const exact(Follow::independent, {values});
      constants.push_back(Traced(Rational(rule.row_constant(exact.node(0, none), branching))) + free * Traced(step));
    }
    return model.with_constants(std::move(constants));
  }
}

/// Law of the token that the walker emits at a node with k children, or with none.
template <class Rule>
std::vector<Traced> node_law(Rule const& rule, Drafting const& drafting, int branching,
                             TableModel<Traced> const& model) {
  std::vector<Traced> law(model.contexts().vocab);
  Enumerator<Traced> chance;
  do {
    Children drafted;
    auto const node = model.node(0, drafted);
    if (branching > 0) drafting.drafter.draw(chance, node, branching, drafted);
    Step const step = rule(chance, node);
    law[step.descends() ? drafted.token[step.child] : step.token] += chance.probability();
  } while (chance.next_path());
  return law;
}

/// p of the model's row, or what the rule's reference makes of it.
template <class Rule>
std::vector<Traced> reference_law(TableModel<Traced> const& model) {
  std::vector<Traced> const& p = model.row(0).p;
  if (Rule::card.reference == Reference::target) return p;
  std::vector<Traced> law(p.size(), Traced(0));
  law[argmax(model.contexts().vocab, [&](Token x) { return p[x]; })] = Traced(1);
  return law;
}

/// The walker's step at a node, written out without the rest of a round: law minus p, token by token.
template <class Rule>
void one_node(Rule const& rule, Drafting const& drafting, int branching, TableModel<Traced> const& model,
              std::vector<Traced>& differences) {
  auto const law = node_law(rule, drafting, branching, model), wanted = reference_law<Rule>(model);
  for (Token x = 0; x < law.size(); ++x) differences.push_back(law[x] - wanted[x]);
}

/// The first tokens of two rounds, where the second repeats the noise of the first and so its token: law minus p·p.
template <class Rule>
void two_rounds(Rule const& rule, Drafting const& drafting, int branching, TableModel<Traced> const& model,
                std::vector<Traced>& differences) {
  auto const law = node_law(rule, drafting, branching, model), wanted = reference_law<Rule>(model);
  for (Token x = 0; x < law.size(); ++x)
    for (Token y = 0; y < law.size(); ++y)
      differences.push_back((x == y ? law[x] : Traced(0)) - wanted[x] * wanted[y]);
}

/// P(y) − Π_i p_i(y_i) for every text y of `length` tokens from `depth` on, given all shorter beginnings of y.
/// `reached`: the probability that the round's tokens so far are y's and that what follows them comes from the target.
template <class Row>
void complete(std::map<std::vector<Token>, Traced> const& emitted, Row const& row, std::size_t length,
              std::vector<Token>& text, Traced const& reached, Traced const& target,
              std::vector<Traced>& differences) {
  auto const found = emitted.find(text);
  Traced const open = found == emitted.end() ? reached : reached + found->second;
  if (text.size() == length) {
    differences.push_back(open - target);
    return;
  }
  std::vector<Traced> const& p = row(text.size()).p;
  for (Token x = 0; x < p.size(); ++x) {
    text.push_back(x);
    complete(emitted, row, length, text, open * p[x], target * p[x], differences);
    text.pop_back();
  }
}

/// Law of the first γ+1 tokens of a round, completed from the target, minus the target's, text by text. Contexts must
/// not depend on the tokens.
template <class Rule>
std::vector<Traced> whole_round(Rule const& rule, Drafting const& drafting, RoundShape const& shape,
                                TableModel<Traced> const& model) {
  std::map<std::vector<Token>, Traced> emitted;
  Enumerator<Traced> chance;
  do {
    std::vector<Token> tokens;
    play_round(rule, drafting, model, shape, chance, 0, [&](Token x) { tokens.push_back(x); });
    emitted[tokens] += chance.probability();
  } while (chance.next_path());
  bool const shared = model.contexts().follow == Follow::independent;
  auto const row = [&](std::size_t i) -> auto const& {
    return model.row(shared ? 0 : static_cast<std::uint32_t>(i));
  };
  std::vector<Traced> differences;
  std::vector<Token> text;
  complete(emitted, row, static_cast<std::size_t>(shape.gamma) + (shape.bonus ? 1 : 0), text, Traced(0), Traced(1),
           differences);
  return differences;
}

}  // namespace identities

/// What has to hold for all laws if the rule is lossless with this drafter and shape, for any rule, whether or not it
/// is in the list. The rule must be a program over + − * / and comparisons.
template <class Rule>
ForAllClaim for_all_claim(Rule const& rule, Drafting const& drafting, RoundShape const& shape) {
  using Rows = std::vector<TableModel<Traced>::Row>;
  ForAllClaim claim;
  claim.gamma = shape.gamma;
  claim.every_gamma = Rule::shape == Shape::node;
  if constexpr (Rule::shape == Shape::node) {
    claim.identities.push_back({"one node", 1, [=](Rows rows, Traced const& free) {
                                  TableModel<Traced> const plain(Follow::independent, std::move(rows));
                                  std::vector<Traced> differences;
                                  for (int children = 1; children <= shape.branching; ++children) {
                                    if (!shape.has_node_with(children)) continue;
                                    auto const model = identities::with_free_constants(rule, plain, children, free);
                                    identities::one_node(rule, drafting, children, model, differences);
                                    if (frozen_noise<Rule>)
                                      identities::two_rounds(rule, drafting, children, model, differences);
                                  }
                                  if (shape.bonus) identities::one_node(rule, drafting, 0, plain, differences);
                                  return differences;
                                }});
  } else {
    auto const round = [=](Follow follow) {
      return [=](Rows rows, Traced const&) {
        return identities::whole_round(rule, drafting, shape, TableModel<Traced>(follow, std::move(rows)));
      };
    };
    claim.identities.push_back({"a round, one row shared by all positions", 1, round(Follow::independent)});
    claim.identities.push_back(
        {"a round, a row for each position", static_cast<std::uint32_t>(shape.gamma) + 1, round(Follow::next_row)});
  }
  claim.distance = [=](ExactModel const& model, int gamma) {
    RoundShape const shorter = gamma == shape.gamma ? shape : RoundShape{gamma, shape.branching, shape.bonus};
    int const length = gamma + (shape.bonus ? 1 : 0) + (frozen_noise<Rule> ? 1 : 0);
    ExactRound const round = enumerate_round(rule, drafting, shorter, model, 0, most_paths_of_a_table);
    ExactModel const reference = referred(model, Rule::card.reference);
    return total_variation(completed(round, reference, length), target_law(reference, length));
  };
  return claim;
}

}  // namespace draftgauge
