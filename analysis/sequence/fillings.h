#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/sequence/acceptance.h"

/// Rounds of a policy along a text, over all ways to fill its holes. Where a policy looks at outcomes, holes all
/// rejected and all accepted need not bracket the others: a hole that is accepted may shorten the drafts behind it.
namespace draftgauge {

/// The rounds that a policy plays where all holes are `holes`.
template <class Policy>
OrderedRounds play(AcceptanceSequence const& sequence, Policy const& policy, Outcome holes) {
  OrderedRounds rounds;
  auto state = policy.start();
  for (std::size_t t = 0; t < sequence.size(); t += static_cast<std::size_t>(rounds.back().accepted) + 1) {
    std::int64_t accepted = 0;
    for (std::size_t s = t; s < sequence.size() && accepted < state.gamma; ++s, ++accepted)
      if (sequence[s] == Outcome::rejected || (sequence[s] == Outcome::hole && holes != Outcome::accepted)) break;
    rounds.push_back({accepted, state.gamma});
    state = policy.next(state, accepted);
  }
  return rounds;
}

/// Over all fillings; the mean where each hole is accepted with one chance, independently of the others.
template <class Number>
struct RoundsOfFillings {
  std::int64_t fewest = 0, most = 0;
  Number mean = Number(0);
};

/// A path meets each hole once at most, so that fillings are choices at the holes of a path, and the rounds a recursion
/// over (token, state). Time and memory go with the number of states that a token can be reached in.
template <class Number, class Policy>
RoundsOfFillings<Number> rounds_of_fillings(AcceptanceSequence const& sequence, Policy const& policy,
                                            Number const& hole) {
  struct Reached {
    std::int64_t fewest, most;
    Number chance;
  };
  using State = typename Policy::State;
  std::map<std::size_t, std::map<State, Reached>> ahead;  // by the token at which a round starts
  RoundsOfFillings<Number> found{.fewest = sequence.empty() ? 0 : INT64_MAX};
  auto const arrive = [&](std::size_t token, State const& state, Reached const& by) {
    if (token >= sequence.size()) {
      found.fewest = std::min(found.fewest, by.fewest);
      found.most = std::max(found.most, by.most);
      return;
    }
    auto const [at, is_new] = ahead[token].try_emplace(state, by);
    if (is_new) return;
    at->second.fewest = std::min(at->second.fewest, by.fewest);
    at->second.most = std::max(at->second.most, by.most);
    at->second.chance += by.chance;
  };
  if (!sequence.empty()) arrive(0, policy.start(), {0, 0, Number(1)});
  while (!ahead.empty()) {
    auto const here = ahead.extract(ahead.begin());
    for (auto const& [state, reached] : here.mapped()) {
      found.mean += reached.chance;
      Reached on{reached.fewest + 1, reached.most + 1, reached.chance};
      std::int64_t accepted = 0;
      std::size_t s = here.key();
      for (; s < sequence.size() && accepted < state.gamma && sequence[s] != Outcome::rejected; ++s, ++accepted) {
        if (sequence[s] != Outcome::hole) continue;
        arrive(s + 1, policy.next(state, accepted), {on.fewest, on.most, on.chance * (Number(1) - hole)});
        on.chance *= hole;
      }
      arrive(s + 1, policy.next(state, accepted), on);
    }
  }
  return found;
}

}  // namespace draftgauge
