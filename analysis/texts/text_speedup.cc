#include "analysis/texts/text_speedup.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "analysis/theory/optimum.h"

namespace draftgauge {

TextSpeedup text_speedup(TextEstimate const& tokens, int gamma, Costs const& costs, bool bonus) {
  double const cost = costs.of_round(gamma);
  Limits const round = tokens_in_round(gamma, bonus);
  return {gamma,
          cost,
          tokens * (1 / cost),
          break_even_cost(tokens + -1., costs, gamma),
          round / cost,
          {break_even_cost(round.least - 1, costs, gamma), break_even_cost(round.most - 1, costs, gamma)}};
}

std::optional<TextSpeedup> text_speedup(TextEstimates const& estimates, Estimator estimator, int gamma,
                                        Costs const& costs) {
  TextEstimate const* const tokens = estimates.tokens_per_round(estimator, gamma);
  if (!tokens) return std::nullopt;
  return text_speedup(*tokens, gamma, costs, estimates.options().bonus);
}

std::optional<TextBestGamma> text_best_gamma(TextEstimates const& estimates, Estimator estimator,
                                             Costs const& costs) {
  std::vector<int> gammas = {0};
  std::vector<TextEstimate> speedups = {certain(1, estimates.sample())};
  std::vector<int> sorted = estimates.options().gammas;
  std::ranges::sort(sorted);
  for (int const gamma : sorted)
    if (auto priced = text_speedup(estimates, estimator, gamma, costs)) {
      gammas.push_back(gamma);
      speedups.push_back(std::move(priced->speedup));
    }
  if (gammas.size() == 1) return std::nullopt;

  std::vector<double> values;
  for (TextEstimate const& s : speedups) values.push_back(s.value);
  std::size_t const chosen = smallest_best(values), resamples = estimates.sample()->resamples();
  TextBestGamma result{gammas[chosen], values[chosen], {}};
  std::map<int, std::size_t> won;
  for (std::size_t b = 0; b < resamples; ++b) {
    for (std::size_t g = 0; g < gammas.size(); ++g) values[g] = speedups[g].resampled[b];
    ++won[gammas[smallest_best(values)]];
  }
  for (auto const& [gamma, times] : won)
    result.p_best[gamma] = static_cast<double>(times) / static_cast<double>(resamples);
  return result;
}

std::optional<TextGammaSet> text_gamma_set(std::span<TextSpeedup const> priced, double confidence,
                                           std::uint64_t seed) {
  if (priced.empty()) return std::nullopt;
  std::vector<TextEstimate> speedups{certain(1, priced.front().speedup.sample)};  // plain decoding
  for (TextSpeedup const& each : priced) speedups.push_back(each.speedup);
  auto const set = gamma_set(speedups, confidence, seed);
  if (!set) return std::nullopt;
  TextGammaSet found{{}, set->regret, confidence};
  for (std::size_t const g : set->members) found.gammas.push_back(g == 0 ? 0 : priced[g - 1].gamma);
  return found;
}

}  // namespace draftgauge
