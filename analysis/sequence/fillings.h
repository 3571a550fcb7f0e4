#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
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

/// Means where each token is accepted with its own chance, independently of the others.
template <class Number>
struct MeanRounds {
  Number cost = Number(0), rounds = Number(0), drafts = Number(0);
};

/// A policy along texts, one after the other, over all outcomes of the tokens whose chance is neither 0 nor 1. A path
/// meets each token once at most, so that outcomes are choices along a path, and the rounds a recursion over (token,
/// state). Time and memory go with the number of states that a token can be reached in. A round of γ drafts costs
/// price(γ). A policy starts anew with each text, unless it has completed(state): the state of the next text's first round.
template <class Number, class Policy, class Price>
class PlayedPaths {
 public:
  using State = typename Policy::State;
  using Cost = decltype(std::declval<Price const&>()(std::int64_t{}));

  PlayedPaths(Policy policy, Price price, bool bonus = true)
      : policy_(std::move(policy)),
        price_(std::move(price)),
        bonus_(bonus),
        starts_{{policy_.start(), {}, {}, Number(1)}} {}

  /// One more text. False where a token is reached in more than `most_states`, or the text takes more than `most_rounds`
  /// different ones: nothing is known then.
  bool play(std::size_t tokens, auto const& accepted, std::size_t most_states = SIZE_MAX,
            std::size_t most_rounds = SIZE_MAX) {
    ahead_.assign(1, std::move(starts_));
    ended_.clear();
    std::size_t rounds = 0;
    for (std::size_t t = 0; t < tokens && !ahead_.empty(); ++t) {
      Paths here = std::move(ahead_.front());
      ahead_.pop_front();
      rounds += here.size();
      if (here.size() > most_states || rounds > most_rounds) return false;
      for (Path const& path : here) play_round(path, t, tokens, accepted);
      here.clear();
      spare_.push_back(std::move(here));
    }
    starts_ = tokens > 0 ? next_starts() : std::move(ahead_.front());
    return true;
  }

  MeanRounds<Number> const& mean() const { return mean_; }
  /// Of all texts so far.
  Cost least() const { return std::ranges::min_element(starts_, {}, &Path::least)->least; }
  Cost most() const { return std::ranges::max_element(starts_, {}, &Path::most)->most; }

 private:
  struct Path {
    State state;
    Cost least, most;
    Number chance;
  };
  using Paths = std::vector<Path>;

  static void merge(Paths& into, Path path) {
    auto const at = std::lower_bound(into.begin(), into.end(), path.state,
                                     [](Path const& each, State const& state) { return each.state < state; });
    if (at == into.end() || path.state < at->state) {
      into.insert(at, std::move(path));
      return;
    }
    at->least = std::min(at->least, path.least);
    at->most = std::max(at->most, path.most);
    at->chance += path.chance;
  }

  void play_round(Path const& path, std::size_t t, std::size_t tokens, auto const& accepted_at) {
    std::int64_t const gamma = path.state.gamma;
    Cost const cost = price_(gamma);
    mean_.cost += path.chance * Number(cost);
    mean_.rounds += path.chance;
    mean_.drafts += path.chance * Number(gamma);
    Number chance = path.chance;
    auto const arrive = [&](std::size_t next, std::int64_t accepted, Number const& with) {
      Path on{policy_.next(path.state, accepted), path.least + cost, path.most + cost, with};
      if (next >= tokens) return merge(ended_, std::move(on));
      std::size_t const place = next - t - 1;
      while (ahead_.size() <= place) {
        ahead_.emplace_back();
        if (spare_.empty()) continue;
        ahead_.back() = std::move(spare_.back());
        spare_.pop_back();
      }
      merge(ahead_[place], std::move(on));
    };
    std::size_t s = t;
    std::int64_t accepted = 0;
    for (; s < tokens && accepted < gamma; ++s, ++accepted) {
      Number const a = accepted_at(s);
      if (a == Number(1)) continue;
      if (a == Number(0)) return arrive(s + 1, accepted, chance);
      arrive(s + 1, accepted, chance * (Number(1) - a));
      chance *= a;
    }
    arrive(bonus_ || gamma == 0 ? s + 1 : s, accepted, chance);
  }

  Paths next_starts() {
    Paths starts;
    for (Path& path : ended_) {
      if constexpr (requires { policy_.completed(path.state); })
        path.state = policy_.completed(path.state);
      else
        path.state = policy_.start();
      merge(starts, std::move(path));
    }
    return starts;
  }

  Policy policy_;
  Price price_;
  bool bonus_;
  Paths starts_, ended_;
  std::deque<Paths> ahead_;  // [i] the rounds that start i tokens on
  std::vector<Paths> spare_;
  MeanRounds<Number> mean_;
};

/// Over all fillings; the mean where each hole is accepted with one chance, independently of the others.
template <class Number>
struct RoundsOfFillings {
  std::int64_t fewest = 0, most = 0;
  Number mean = Number(0);
};

template <class Number, class Policy>
RoundsOfFillings<Number> rounds_of_fillings(AcceptanceSequence const& sequence, Policy const& policy,
                                            Number const& hole) {
  PlayedPaths<Number, Policy, std::int64_t (*)(std::int64_t)> played(policy,
                                                                     [](std::int64_t) { return std::int64_t{1}; });
  played.play(sequence.size(), [&](std::size_t t) {
    return sequence[t] == Outcome::hole ? hole : Number(sequence[t] == Outcome::accepted ? 1 : 0);
  });
  return {played.least(), played.most(), played.mean().rounds};
}

}  // namespace draftgauge
