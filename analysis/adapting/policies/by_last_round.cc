#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/adapting/cards.h"
#include "analysis/adapting/halves.h"
#include "analysis/adapting/played.h"
#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/theory/draft_policies.h"

namespace draftgauge {
namespace {

/// A draft length for each number of drafts that the last round accepted, of which all above `last` are alike.
struct LengthByLast {
  static constexpr std::int64_t last = 3;
  std::array<std::int64_t, last + 1> lengths;

  using State = LengthState<std::int64_t>;  // remembers what was accepted
  State start() const { return {lengths[last], last}; }
  State next(State const& /*state*/, std::int64_t accepted) const {
    std::int64_t const seen = std::min(accepted, last);
    return {lengths[static_cast<std::size_t>(seen)], seen};
  }
};

/// Where rounds start, by what the last one accepted: how many of them there were, and got the first i drafts right.
using Survivors = std::array<std::vector<double>, LengthByLast::last + 1>;

struct Watched {
  Survivors survivors;
  double tokens = 0, time = 0;
};

Watched watch(AdaptingTexts const& texts, std::vector<double> const& times, LengthByLast const& policy) {
  Watched found;
  auto const most = static_cast<std::size_t>(texts.most);
  for (std::vector<double>& row : found.survivors) row.resize(most + 1);
  constexpr std::size_t enough_tokens = 200'000, most_draws = 32;
  std::size_t const draws =
      std::clamp<std::size_t>(enough_tokens / std::max<std::size_t>(texts.tokens(), 1), 1, most_draws);
  std::vector<std::size_t> run;  // accepted from each token on
  for (std::size_t draw = 0; draw < draws; ++draw) {
    TokenCoins coins(texts.seed, draw);
    for (auto const& request : texts.requests)
      for (AdaptingText const& text : request) {
        std::size_t const tokens = text.accepted.size();
        run.assign(tokens + 1, 0);
        for (std::size_t t = 0; t < tokens; ++t) {
          double const a = text.accepted[t];
          run[t] = a >= 1 || (a > 0 && coins.next() < a);
        }
        for (std::size_t t = tokens; t-- > 0;) run[t] *= run[t + 1] + 1;
        LengthByLast::State state = policy.start();
        for (std::size_t t = 0; t < tokens;) {
          auto& row = found.survivors[static_cast<std::size_t>(state.memory)];
          for (std::size_t i = 0; i <= std::min(run[t], most); ++i) ++row[i];
          auto const gamma = static_cast<std::size_t>(state.gamma);
          std::size_t const accepted = std::min(run[t], gamma);
          found.time += times[gamma];
          t += accepted + (texts.bonus || accepted < gamma || gamma == 0);
          state = policy.next(state, static_cast<std::int64_t>(accepted));
        }
        found.tokens += static_cast<double>(tokens);
      }
  }
  return found;
}

/// Renewal reward: in each state the γ of greatest E[N] − λ·time, λ the tokens in a unit of time that the policy gets. The
/// best of those that the steps meet, as a length moves the starts of other rounds, too.
LengthByLast fit_by_last(AdaptingTexts const& texts) {
  std::vector<double> const times = round_times(texts.costs, static_cast<int>(texts.most));
  LengthByLast policy, best;
  policy.lengths.fill(texts.best);
  best = policy;
  double greatest = 0;
  constexpr int most_steps = 8;
  for (int step = 0; step < most_steps; ++step) {
    Watched const seen = watch(texts, times, policy);
    double const lambda = seen.tokens / seen.time;
    if (!(lambda > greatest)) break;
    greatest = lambda;
    best = policy;
    for (std::size_t s = 0; s < policy.lengths.size(); ++s) {
      std::vector<double> const& row = seen.survivors[s];
      double worth = 1 - lambda * times[0], kept = 0;
      policy.lengths[s] = row[0] > 0 ? 0 : texts.best;
      for (std::size_t gamma = 1; row[0] > 0 && gamma < row.size(); ++gamma) {
        double const before = kept;
        kept += row[gamma] / row[0];
        double const this_worth = 1 + (texts.bonus ? kept : before) - lambda * times[gamma];
        if (this_worth > worth) worth = this_worth, policy.lengths[s] = static_cast<std::int64_t>(gamma);
      }
    }
  }
  return best;
}

}  // namespace

AdaptingPolicy adapting::by_last_round() {
  return {.name = "by_last_round",
          .summary = "γ by what the last round accepted",
          .source = "no engine's: renewal reward (Dinkelbach, Manage. Sci. 13, 1967)",
          .reads_draft = false,
          .play = [](AdaptingTexts const& texts) {
            return fitted_on_other_half(
                texts, fit_by_last,
                [](AdaptingTexts const& half, LengthByLast const& policy) { return played(half, policy); });
          }};
}

}  // namespace draftgauge
