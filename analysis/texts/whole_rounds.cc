#include "analysis/texts/whole_rounds.h"

#include <algorithm>
#include <vector>

#include "analysis/replay/rule_replay.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

/// Rounds that start before a token of text i: their number, and what they emit from there on.
RoundMoments<double> rounds_before(TextEstimates const& of, EstimatorCard const& card,
                                   std::vector<std::vector<double>> const& kept, std::size_t i,
                                   RoundShape const& shape, std::size_t until) {
  if (!kept.empty()) return token_rounds(kept[i], shape, until);
  return rule_replay_named(card.replays).rounds(of.acceptance()[i].log_ratio, shape, until);
}

WholeRounds along_texts(TextEstimates const& of, EstimatorCard const& card, RoundShape const& shape) {
  auto const longest = static_cast<std::size_t>(theory::longest_round(shape.gamma, shape.bonus));
  auto const kept = card.kept ? card.kept(of) : std::vector<std::vector<double>>();
  std::vector<double> tokens, rounds, past, long_enough;
  for (std::size_t i = 0; i < of.texts(); ++i) {
    auto const length = static_cast<std::size_t>(of.sample()->lengths()[i]);
    std::size_t const until = length < longest ? 0 : length - longest + 1;
    auto const moments = until > 0 ? rounds_before(of, card, kept, i, shape, until) : RoundMoments<double>();
    long_enough.push_back(until > 0);
    rounds.push_back(until > 0 ? moments.mean.front() : 0);
    past.push_back(until > 0 ? moments.past.front() : 0);
    tokens.push_back(static_cast<double>(until) + past.back());
  }
  auto const mean = [&](std::vector<double> const& sums) { return mean_over_texts(sums, of.sample()); };
  return {mean(tokens) / mean(rounds), mean(past) / mean(long_enough)};
}

/// Of a renewal process whose rounds emit more than j tokens with probability s_j the token that a text ends with lies
/// anywhere in its round: j tokens of it are left with probability s_j/Σs (Feller, An Introduction to Probability
/// Theory II, XI.4).
TextEstimate past_by_survival(TextEstimates const& of, Estimator estimator, TextEstimate const& tokens, int longest) {
  TextEstimate left = certain(0, of.sample()), geometric = certain(1, of.sample());
  for (int j = 1; j < longest; ++j) {
    geometric = geometric * *of.alpha();
    left = left + (estimator == Estimator::iid ? geometric : *of.survival(j)) * static_cast<double>(j);
  }
  return left / tokens;
}

}  // namespace

std::optional<WholeRounds> whole_rounds(TextEstimates const& of, Estimator estimator, int gamma) {
  if (estimator == Estimator::simulated) estimator = Estimator::replay;  // which is exact
  TextEstimate const* const tokens = of.tokens_per_round(estimator, gamma);
  if (!tokens) return std::nullopt;
  bool const bonus = of.options().bonus;
  if (!estimator.card->replays.empty()) return along_texts(of, *estimator.card, {gamma, 1, bonus});
  auto const longest = static_cast<int>(theory::longest_round(gamma, bonus));
  return WholeRounds{*tokens, past_by_survival(of, estimator, *tokens, longest)};
}

WholeRounds::Nearest WholeRounds::nearest(double measured, double length) const {
  TextEstimate const cut = cut_at(length);
  double const gap = tokens.value - cut.value;
  double const whole = gap > 0 ? std::clamp((measured - cut.value) / gap, 0., 1.) : 1;
  return {tokens * whole + cut * (1 - whole), whole};
}

}  // namespace draftgauge
