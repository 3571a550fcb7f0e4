#include "analysis/texts/dependence.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "analysis/replay/replay.h"
#include "analysis/theory/domain.h"

namespace draftgauge {
namespace {

/// Whether the numbers differ at all, so that a correlation means something.
bool varies(std::span<std::vector<double> const> per_token) {
  double least = HUGE_VAL, greatest = -HUGE_VAL;
  for (std::vector<double> const& text : per_token)
    for (double const x : text) {
      least = std::min(least, x);
      greatest = std::max(greatest, x);
    }
  return least < greatest;
}

/// Pearson's correlation of all pairs (x_t, x_{t+lag}), by sums over each text. `shift` is taken off first: it
/// changes nothing but rounding.
std::optional<TextEstimate> correlation(std::span<std::vector<double> const> per_token, std::size_t lag, double shift,
                                        std::shared_ptr<TextSample const> const& sample) {
  enum { pairs, x, y, xx, yy, xy, count };
  std::vector<std::vector<double>> sums(count, std::vector<double>(per_token.size()));
  for (std::size_t i = 0; i < per_token.size(); ++i)
    for (std::size_t t = 0; t + lag < per_token[i].size(); ++t) {
      double const now = per_token[i][t] - shift, later = per_token[i][t + lag] - shift;
      double const terms[] = {1, now, later, now * now, later * later, now * later};
      for (int k = pairs; k < count; ++k) sums[static_cast<std::size_t>(k)][i] += terms[k];
    }
  if (std::ranges::max(sums[pairs]) == 0) return std::nullopt;
  std::vector<TextEstimate> means;
  for (std::vector<double> const& sum : sums)
    means.push_back(mean_over_texts(sum, sample) / mean_over_texts(sums[pairs], sample));
  TextEstimate const variances = (means[xx] - means[x] * means[x]) * (means[yy] - means[y] * means[y]);
  if (!(variances.value > 0)) return std::nullopt;
  TextEstimate const scale =
      variances.through([](double v) { return 1 / std::sqrt(v); }, [](double v) { return -.5 / (v * std::sqrt(v)); });
  return (means[xy] - means[x] * means[y]) * scale;
}

std::vector<Dependence::Position> by_position(TextEstimates const& estimates) {
  std::vector<Dependence::Position> positions;
  TextEstimate const* before = nullptr;
  TextEstimate geometric = certain(1, estimates.sample());
  for (int i = 1; auto const survival = estimates.survival(i); ++i) {
    geometric = geometric * *estimates.alpha();
    if (before && before->value == 0) break;
    positions.push_back({i, *survival, geometric, *survival - geometric, before ? *survival / *before : *survival});
    before = &positions.back().survival;
  }
  return positions;
}

TextEstimate ends_of(TextEstimates const& estimates, RoundShape const& shape, TextEstimate const& iid) {
  TextEstimate const& alpha = *estimates.alpha();
  std::vector<double> const& lengths = estimates.sample()->lengths();
  auto const longest = static_cast<std::size_t>(std::ranges::max(lengths));
  // Independent acceptances have no memory: what is left of the longest text is any other text.
  auto const along_texts = [&](double accepted) {
    auto const rounds = token_rounds(std::vector<double>(longest, std::clamp(accepted, 0., 1.)), shape).mean;
    std::vector<double> of_texts;
    for (double const length : lengths) of_texts.push_back(rounds[longest - static_cast<std::size_t>(length)]);
    return mean_over_texts(lengths, estimates.sample()) / mean_over_texts(of_texts, estimates.sample());
  };
  constexpr double step = 1e-5;
  double const low = std::max(0., alpha.value - step), high = std::min(1., alpha.value + step);
  double const slope = (along_texts(high).value - along_texts(low).value) / (high - low);
  return iid - (along_texts(alpha.value) + (alpha + -alpha.value) * slope);
}

std::string radius(TextEstimate const& estimate, double confidence) {
  auto const interval = delta_interval(estimate, confidence);
  return interval ? fmt::format(" ± {:.2g}", interval->high - interval->value) : "";
}

}  // namespace

std::vector<Autocorrelation> autocorrelation(std::span<std::vector<double> const> per_token, int lags,
                                             std::shared_ptr<TextSample const> const& sample) {
  require_domain(lags >= 1, "`lags`", lags, "a number is compared with a later one", "give 1 or more");
  std::vector<Autocorrelation> all;
  if (!varies(per_token)) return all;
  double const shift = per_token.front().front();
  for (int lag = 1; lag <= lags; ++lag)
    if (auto value = correlation(per_token, static_cast<std::size_t>(lag), shift, sample))
      all.push_back({lag, std::move(*value)});
  return all;
}

Dependence dependence(TextEstimates const& estimates, int lags) {
  Dependence result;
  std::vector<std::vector<double>> a, beta;
  for (TextAcceptance const& text : estimates.acceptance()) {
    a.push_back(text.a);
    beta.push_back(text.beta);
  }
  if (!a.front().empty()) result.a = autocorrelation(a, lags, estimates.sample());
  if (!beta.front().empty()) result.beta = autocorrelation(beta, lags, estimates.sample());
  if (estimates.mean_a()) result.positions = by_position(estimates);
  for (int const gamma : estimates.options().gammas) {
    auto const tokens = [&](Estimator estimator) { return estimates.tokens_per_round(estimator, gamma); };
    TextEstimate const *const iid = tokens(Estimator::iid), *const survival = tokens(Estimator::survival),
                              *const replay = tokens(Estimator::replay);
    if (!iid || !survival || !replay) continue;
    TextEstimate const difference = *iid - *replay;
    TextEstimate const ends = ends_of(estimates, {gamma, 1, estimates.options().bonus}, *iid);
    result.gaps.push_back(
        {gamma, *iid, *replay, difference, difference / *replay, *iid - *survival, *survival - *replay - ends, ends});
  }
  return result;
}

std::string dependence_sentence(Dependence const& dependence, int gamma, double confidence) {
  auto const found = std::ranges::find(dependence.gaps, gamma, &Dependence::Gap::gamma);
  if (found == dependence.gaps.end()) return "";
  Dependence::Gap const& gap = *found;
  auto const interval = delta_interval(gap.difference, confidence);
  std::string const claim =
      fmt::format("Eq. (1) promises {:.2f} tokens per round at γ = {} where the text gives {:.2f}", gap.iid.value,
                  gamma, gap.replay.value);
  if (!interval)
    return claim + (gap.difference.texts() < 2 ? ": one text does not say how much of that is luck."
                                               : ", along every text: they have no spread to tell luck from.");
  if (interval->covers(0))
    return fmt::format("{}: they cannot be told apart (difference {:+.2g}{}).", claim, gap.difference.value,
                       radius(gap.difference, confidence));
  std::string const gaps = fmt::format("{}: {:.2g} % too {} (difference {:+.2g}{}).", claim,
                                       100 * std::abs(gap.relative.value), gap.difference.value > 0 ? "many" : "few",
                                       gap.difference.value, radius(gap.difference, confidence));
  std::string parts;
  for (auto const& [part, words] :
       {std::pair(&gap.runs, "since acceptances come in runs"),
        std::pair(&gap.starts, "since rounds start behind other rounds, which a rejection ends"),
        std::pair(&gap.ends, "since texts end in the middle of a round")})
    if (part->standard_error() > 0)
      parts +=
          fmt::format("{}{:+.2g}{} {}", parts.empty() ? "" : ", ", part->value, radius(*part, confidence), words);
  return parts.empty() ? gaps : fmt::format("{} It is the sum of {}.", gaps, parts);
}

}  // namespace draftgauge
