#include "analysis/text_influence.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace draftgauge {

std::optional<StrongestPull> strongest_pull(TextEstimate const& estimate) {
  std::size_t const texts = estimate.texts();
  if (texts < 3 || !std::isfinite(estimate.standard_error()) || estimate.texts_agree()) return std::nullopt;
  // Without a text of share h a mean over tokens changes by −d/(1 − h), d its influence.
  auto const pulls = [&](std::size_t i) { return estimate.influence[i] / (1 - estimate.sample->leverage(i)); };
  StrongestPull strongest{0, 0, false};
  double squares = 0;
  for (std::size_t i = 0; i < texts; ++i) {
    squares += estimate.influence[i] * estimate.influence[i];
    if (std::abs(pulls(i)) > std::abs(pulls(strongest.text))) strongest.text = i;
  }
  strongest.without = estimate.value - pulls(strongest.text);
  constexpr std::size_t fewest = 5;
  constexpr double false_alarm = .01;
  if (texts < fewest) return strongest;
  auto const n = static_cast<double>(texts);
  double const t = quantile(complement(boost::math::students_t(n - 2), false_alarm / (2 * n)));
  double const limit = (n - 1) / std::sqrt(n) * std::sqrt(t * t / (n - 2 + t * t));
  strongest.outlier = std::abs(estimate.influence[strongest.text]) > limit * std::sqrt(squares / (n - 1));
  return strongest;
}

}  // namespace draftgauge
