#pragma once
#include <string>
#include <vector>

#include "analysis/enumerator.h"
#include "analysis/exact.h"
#include "sim/round.h"
#include "sim/row_constant.h"

namespace draftgauge {

/// The model with what the rule derives from each row (sim/row_constant.h).
template <class Rule>
ExactModel with_row_constants(Rule const&, ExactModel const& model, int candidates) {
  std::vector<Rational> constants;
  Candidates const none;
  for (std::uint32_t row = 0; row < model.contexts().rows; ++row)
    constants.push_back(Rule::row_constant(model.node(row, none), candidates));
  return model.with_constants(std::move(constants));
}

/// exact_round for any rule, whether or not it is in the list.
template <class Rule>
ExactRound enumerate_round(Rule const& rule, Drafting const& drafting, RoundShape const& shape,
                           ExactModel const& model, std::uint32_t start, std::uint64_t max_paths,
                           std::function<void(std::uint64_t)> const& progress = [](std::uint64_t) {}) {
  if constexpr (has_row_constant<Rule>) {
    if (!model.has_constants())
      return enumerate_round(rule, drafting, shape, with_row_constants(rule, model, shape.candidates), start,
                             max_paths, progress);
  }
  if (frozen_noise<Rule> && model.contexts().rows > 1)
    throw NotEnumerable(std::string(Rule::card.name) + " is enumerated on one context only (its random numbers meet the "
                     "same laws again there) give one with --p and --q, or simulate");
  RoundShape first = shape;
  first.gamma = drafting.policy.first(shape.gamma);
  ExactRound round;
  round.accepted.resize(static_cast<std::size_t>(shape.gamma) + 1);
  round.repeats = frozen_noise<Rule>;
  Enumerator<Rational> chance;
  do {
    if (++round.paths > max_paths) throw_too_many_paths("more than " + std::to_string(max_paths));
    progress(round.paths);
    std::vector<Token> tokens;
    int const tau = play_round(rule, drafting, model, first, chance, model.contexts().first(chance, start),
                               [&](Token x) { tokens.push_back(x); });
    Rational const probability = chance.probability();
    round.emitted[tokens] += probability;
    round.accepted[static_cast<std::size_t>(tau)] += probability;
  } while (chance.next_path());
  return round;
}

}  // namespace draftgauge
