#pragma once
#include <map>
#include <string>
#include <vector>

#include "analysis/enumerate_round.h"
#include "analysis/enumerator.h"
#include "analysis/for_all.h"
#include "sim/round.h"

namespace draftgauge {
namespace identities {

/// Law of the token that the walker emits at a node with k candidates, minus p, token by token. The walker's step is
/// written out here, without the rest of a round.
template <class Rule>
void one_node(Rule const& rule, AnyDrafter const& drafter, int candidates, TableModel<Traced> const& model,
              std::vector<Traced>& differences) {
  std::vector<Traced> law(model.contexts().vocab);
  Enumerator<Traced> chance;
  do {
    Candidates drafted;
    auto const node = model.node(0, drafted);
    if (candidates > 0) drafter.draw(chance, node, candidates, drafted);
    Step const step = rule(chance, node);
    law[step.descends() ? drafted.token[step.child] : step.token] += chance.probability();
  } while (chance.next_path());
  for (Token x = 0; x < law.size(); ++x) differences.push_back(law[x] - model.row(0).p[x]);
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
std::vector<Traced> whole_round(Rule const& rule, AnyDrafter const& drafter, RoundShape const& shape,
                                TableModel<Traced> const& model) {
  std::map<std::vector<Token>, Traced> emitted;
  Enumerator<Traced> chance;
  do {
    std::vector<Token> tokens;
    play_round(rule, drafter, model, shape, chance, 0, [&](Token x) { tokens.push_back(x); });
    emitted[tokens] += chance.probability();
  } while (chance.next_path());
  bool const shared = model.contexts().follow == Follow::independent;
  auto const row = [&](std::size_t i) -> auto const& { return model.row(shared ? 0 : static_cast<std::uint32_t>(i)); };
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
ForAllClaim for_all_claim(Rule const& rule, AnyDrafter const& drafter, RoundShape const& shape) {
  using Rows = std::vector<TableModel<Traced>::Row>;
  ForAllClaim claim;
  claim.gamma = shape.gamma;
  claim.every_gamma = Rule::shape == Shape::node;
  if constexpr (Rule::shape == Shape::node) {
    claim.identities.push_back({"one node", 1, [=](Rows rows) {
                                  TableModel<Traced> const model(Follow::independent, std::move(rows));
                                  std::vector<Traced> differences;
                                  identities::one_node(rule, drafter, shape.candidates, model, differences);
                                  if (shape.bonus) identities::one_node(rule, drafter, 0, model, differences);
                                  return differences;
                                }});
  } else {
    auto const round = [=](Follow follow) {
      return [=](Rows rows) {
        return identities::whole_round(rule, drafter, shape, TableModel<Traced>(follow, std::move(rows)));
      };
    };
    claim.identities.push_back({"a round, one row shared by all positions", 1, round(Follow::independent)});
    claim.identities.push_back({"a round, a row for each position", static_cast<std::uint32_t>(shape.gamma) + 1,
                                round(Follow::next_row)});
  }
  claim.distance = [=](ExactModel const& model, int gamma) {
    RoundShape shorter = shape;
    shorter.gamma = gamma;
    int const length = gamma + (shape.bonus ? 1 : 0);
    ExactRound const round = enumerate_round(rule, drafter, shorter, model, 0, most_paths_of_a_table);
    return total_variation(completed(round, model, length), target_law(model, length));
  };
  return claim;
}

}  // namespace draftgauge
