#pragma once
#include <string>
#include <vector>

#include "analysis/enumerator.h"
#include "analysis/exact.h"
#include "sim/round.h"

namespace draftgauge {

/// exact_round for any rule, whether or not it is in the list.
template <class Rule>
ExactRound enumerate_round(Rule const& rule, AnyDrafter const& drafter, RoundShape const& shape,
                           ExactModel const& model, std::uint32_t start, std::uint64_t max_paths) {
  ExactRound round{{}, std::vector<Rational>(static_cast<std::size_t>(shape.gamma) + 1), 0};
  Enumerator<Rational> chance;
  do {
    if (++round.paths > max_paths)
      throw TooManyPaths("the exact law has more than " + std::to_string(max_paths) +
                         " paths of answers (each is followed once) use a smaller --gamma, vocabulary or "
                         "--candidates, or simulate");
    std::vector<Token> tokens;
    int const tau = play_round(rule, drafter, model, shape, chance, model.contexts().first(chance, start),
                               [&](Token x) { tokens.push_back(x); });
    Rational const probability = chance.probability();
    round.emitted[tokens] += probability;
    round.accepted[static_cast<std::size_t>(tau)] += probability;
  } while (chance.next_path());
  return round;
}

}  // namespace draftgauge
