#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/adapting/policy.h"
#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/sequence/fillings.h"
#include "analysis/stats/token_coin.h"
#include "analysis/theory/draft_policies.h"

namespace draftgauge {

/// Work up to which a policy is played over all outcomes; beyond it, along outcomes that are drawn.
struct PlayLimits {
  std::size_t states = 128;         ///< in which a token is reached
  std::size_t rounds = 20'000'000;  ///< that differ, in all, and at most `states` a token
  std::size_t drawn_tokens = 800'000, fewest_draws = 2, most_draws = 128;
};

/// A policy along all texts.
template <class Policy>
class PolicyPlay {
 public:
  PolicyPlay(AdaptingTexts const& texts, Policy const& policy)
      : texts_(texts), policy_(policy), times_(round_times(texts.costs, static_cast<int>(texts.most))) {}

  /// Over all outcomes; none where that takes too long.
  std::optional<PolicyTimes> exact(PlayLimits const& limits) const {
    Paths paths(policy_, Price{&times_}, texts_.bonus);
    PolicyTimes found;
    auto const tokens = static_cast<double>(std::max<std::size_t>(texts_.tokens(), 1));
    double const a_token = std::min(static_cast<double>(limits.states), static_cast<double>(limits.rounds) / tokens);
    for (auto const& request : texts_.requests) {
      double const before = paths.mean().cost;
      for (AdaptingText const& text : request) {
        auto const most =
            static_cast<std::size_t>(a_token * static_cast<double>(text.accepted.size())) + limits.states;
        auto const accepted = [&](std::size_t t) { return text.accepted[t]; };
        if (!paths.play(text.accepted.size(), accepted, limits.states, most)) return std::nullopt;
      }
      found.time.push_back(paths.mean().cost - before);
    }
    found.rounds = paths.mean().rounds;
    found.drafts = paths.mean().drafts;
    if (texts_.holes) found.time_range = {paths.least(), paths.most()};
    return found;
  }

  /// Adds weight times what it takes along the outcomes of one draw.
  void add_drawn(std::size_t draw, double weight, PolicyTimes& to) const {
    TokenCoins coins(texts_.seed, draw);
    Paths paths(policy_, Price{&times_}, texts_.bonus);
    std::vector<double> drawn;
    for (std::size_t r = 0; r < texts_.requests.size(); ++r) {
      double const before = paths.mean().cost;
      for (AdaptingText const& text : texts_.requests[r]) {
        drawn.assign(text.accepted.begin(), text.accepted.end());
        for (double& a : drawn)
          if (a > 0 && a < 1) a = coins.next() < a;
        paths.play(drawn.size(), [&](std::size_t t) { return drawn[t]; });
      }
      to.time[r] += weight * (paths.mean().cost - before);
    }
    to.rounds += weight * paths.mean().rounds;
    to.drafts += weight * paths.mean().drafts;
  }

 private:
  struct Price {
    std::vector<double> const* times;
    double operator()(std::int64_t gamma) const { return (*times)[static_cast<std::size_t>(gamma)]; }
  };
  using Paths = PlayedPaths<double, Policy, Price>;

  AdaptingTexts const& texts_;
  Policy const& policy_;
  std::vector<double> times_;
};

/// Policy: a type of analysis/sequence/adaptive_lengths.h, or one with completed(state), which goes on through all texts.
/// Exact where its states are few. Where they are many, as of a moving average among holes, outcomes are drawn, and the
/// best fixed γ is a control: it is played along the same ones, and what it takes is known (Hammersley and Handscomb,
/// Monte Carlo Methods, 1964, Section 5.5). Draws depend on the seed alone. Domain: γ of its states from 0 to texts.most.
template <class Policy>
PolicyTimes played(AdaptingTexts const& texts, Policy const& policy, PlayLimits const& limits = {}) {
  PolicyPlay const play(texts, policy);
  if (auto exact = play.exact(limits)) return std::move(*exact);
  FixedLength const fixed{texts.best};
  PolicyPlay const control(texts, fixed);
  PolicyTimes found = *control.exact({.rounds = SIZE_MAX});
  found.time_range.reset();
  std::size_t const draws = std::clamp(limits.drawn_tokens / std::max<std::size_t>(texts.tokens(), 1),
                                       limits.fewest_draws, limits.most_draws);
  double const weight = 1 / static_cast<double>(draws);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    play.add_drawn(draw, weight, found);
    control.add_drawn(draw, -weight, found);
  }
  return found;
}

}  // namespace draftgauge
