#include "analysis/texts/text_influence.h"
#include "analysis/stats/tails.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace draftgauge {
namespace {

/// |t| of n − 2 degrees by which text `at` lies off the others, if a text of length T deviates with variance ∝ 1/w(T):
/// its externally studentised residual (Cook and Weisberg, Residuals and Influence, 1982, section 2.2).
double studentised(TextEstimate const& estimate, std::size_t at, auto const& weight) {
  TextSample const& sample = *estimate.sample;
  auto const n = static_cast<double>(estimate.texts());
  auto const figure = [&](std::size_t i) { return estimate.influence[i] / sample.leverage(i); };
  double weights = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < estimate.texts(); ++i) {
    weights += weight(sample.lengths()[i]);
    sum += weight(sample.lengths()[i]) * figure(i);
  }
  double const mean = sum / weights;
  for (std::size_t i = 0; i < estimate.texts(); ++i)
    squares += weight(sample.lengths()[i]) * (figure(i) - mean) * (figure(i) - mean);
  double const own = weight(sample.lengths()[at]), off = figure(at) - mean;
  double const inner = off * off / (squares / (n - 1) * (1 / own - 1 / weights));
  double const left = n - 1 - inner;  // what the others' spread has of the squares, in units of all
  constexpr double rounding = 1e-9;
  if (left <= rounding) return std::numeric_limits<double>::infinity();
  return std::sqrt(inner * (n - 2) / left);
}

/// The least |t| over all that a text's variance may be: 1 + k/T is texts that differ as wholes for k = 0, independent
/// tokens for k → ∞.
double least_studentised(TextEstimate const& estimate, std::size_t at) {
  auto const [shortest, longest] = std::ranges::minmax(estimate.sample->lengths());
  double least = std::min(studentised(estimate, at, [](double) { return 1.; }),
                          studentised(estimate, at, [](double length) { return length; }));
  for (double k = shortest / 8; k <= longest * 8; k *= std::sqrt(2.))
    least = std::min(least, studentised(estimate, at, [k](double length) { return 1 / (1 + k / length); }));
  return least;
}

}  // namespace

std::optional<StrongestPull> strongest_pull(TextEstimate const& estimate) {
  std::size_t const texts = estimate.texts();
  if (texts < 3 || !std::isfinite(estimate.standard_error()) || estimate.texts_agree()) return std::nullopt;
  // Without a text of share h a mean over tokens changes by −d/(1 − h), d its influence.
  auto const pulls = [&](std::size_t i) { return estimate.influence[i] / (1 - estimate.sample->leverage(i)); };
  StrongestPull strongest{0, 0, false};
  for (std::size_t i = 0; i < texts; ++i)
    if (std::abs(pulls(i)) > std::abs(pulls(strongest.text))) strongest.text = i;
  strongest.without = estimate.value - pulls(strongest.text);
  constexpr std::size_t fewest = 5;
  constexpr double false_alarm = .01;
  if (texts < fewest) return strongest;
  auto const n = static_cast<double>(texts);
  double const limit = student_quantile(false_alarm / (2 * n), n - 2);
  strongest.outlier = least_studentised(estimate, strongest.text) > limit;
  return strongest;
}

}  // namespace draftgauge
