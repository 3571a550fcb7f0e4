#include "analysis/texts/text_ratio.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "analysis/theory/domain.h"

namespace draftgauge {
namespace {

/// a ∘ b, with the partial derivatives where the figures stand.
TextEstimate joined(TextEstimate const& a, TextEstimate const& b, double by_a, double by_b, auto const& f) {
  if (a.sample != b.sample && !(*a.sample == *b.sample))
    throw std::logic_error("figures of different texts, or of different resamples, are put together");
  TextEstimate result{a.sample, f(a.value, b.value), std::vector<double>(a.texts()),
                      std::vector<double>(a.resampled.size()), std::min(a.most_degrees, b.most_degrees)};
  for (std::size_t i = 0; i < a.texts(); ++i) result.influence[i] = by_a * a.influence[i] + by_b * b.influence[i];
  for (std::size_t r = 0; r < a.resampled.size(); ++r) result.resampled[r] = f(a.resampled[r], b.resampled[r]);
  return result;
}

}  // namespace

double TextEstimate::standard_error() const {
  double variance = 0;
  for (std::size_t i = 0; i < texts(); ++i) variance += influence[i] * influence[i] / (1 - sample->leverage(i));
  return std::sqrt(variance);
}

TextEstimate certain(double value, std::shared_ptr<TextSample const> const& sample) {
  return {sample, value, std::vector<double>(sample->size()), std::vector<double>(sample->resamples(), value)};
}

TextEstimate mean_over_texts(std::span<double const> per_text, std::shared_ptr<TextSample const> const& sample) {
  if (per_text.size() != sample->size()) throw std::logic_error("a sample of other texts");
  auto const n = static_cast<double>(per_text.size());
  TextEstimate result{sample, std::accumulate(per_text.begin(), per_text.end(), 0.0) / n, {}, {}};
  for (double const x : per_text) result.influence.push_back((x - result.value) / n);
  for (std::size_t b = 0; b < sample->resamples(); ++b) {
    auto const times = sample->times(b);
    result.resampled.push_back(std::inner_product(per_text.begin(), per_text.end(), times.begin(), 0.0) / n);
  }
  return result;
}

bool TextEstimate::texts_agree() const { return only_rounding(standard_error(), value); }

TextEstimate operator+(TextEstimate const& a, TextEstimate const& b) { return joined(a, b, 1, 1, std::plus()); }
TextEstimate operator-(TextEstimate const& a, TextEstimate const& b) { return joined(a, b, 1, -1, std::minus()); }
TextEstimate operator*(TextEstimate const& a, TextEstimate const& b) {
  return joined(a, b, b.value, a.value, std::multiplies());
}
TextEstimate operator/(TextEstimate const& a, TextEstimate const& b) {
  return joined(a, b, 1 / b.value, -a.value / (b.value * b.value), std::divides());
}
TextEstimate operator+(TextEstimate a, double b) {
  a.value += b;
  for (double& r : a.resampled) r += b;
  return a;
}
TextEstimate operator*(TextEstimate a, double b) {
  a.value *= b;
  for (double& d : a.influence) d *= b;
  for (double& r : a.resampled) r *= b;
  return a;
}

std::optional<Interval> delta_interval(TextEstimate const& estimate, double confidence) {
  require_confidence(confidence);
  if (estimate.texts() < 2) return std::nullopt;
  double const error = estimate.standard_error();
  if (!std::isfinite(estimate.value) || !std::isfinite(error) || estimate.texts_agree()) return std::nullopt;
  return student_interval(estimate.value, error, estimate.degrees(), confidence);
}

std::optional<UnpairedDifference> unpaired_difference(TextEstimate const& a, TextEstimate const& b) {
  if (a.texts() < 2 || b.texts() < 2 || a.texts_agree() || b.texts_agree()) return std::nullopt;
  double const va = std::pow(a.standard_error(), 2), vb = std::pow(b.standard_error(), 2);
  double const degrees = (va + vb) * (va + vb) / (va * va / a.degrees() + vb * vb / b.degrees());
  UnpairedDifference const difference{b.value - a.value, std::sqrt(va + vb), degrees};
  if (!std::isfinite(difference.value) || !std::isfinite(difference.error)) return std::nullopt;
  return difference;
}

std::optional<Interval> unpaired_interval(TextEstimate const& a, TextEstimate const& b, double confidence) {
  require_confidence(confidence);
  auto const difference = unpaired_difference(a, b);
  if (!difference) return std::nullopt;
  return student_interval(difference->value, difference->error, difference->degrees, confidence);
}

std::optional<Interval> bootstrap_interval(TextEstimate const& estimate, double confidence) {
  require_confidence(confidence);
  if (estimate.texts() < 2 || estimate.texts_agree() || estimate.resampled.empty()) return std::nullopt;
  std::vector<double> sorted = estimate.resampled;
  if (!std::ranges::all_of(sorted, [](double x) { return std::isfinite(x); })) return std::nullopt;
  std::ranges::sort(sorted);
  auto const at = [&](double share) {  // linear between order statistics
    double const place = share * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    if (below + 1 >= sorted.size()) return sorted.back();
    return sorted[below] + (place - std::floor(place)) * (sorted[below + 1] - sorted[below]);
  };
  double const tail = (1 - confidence) / 2;
  return Interval{estimate.value, at(tail), at(1 - tail), confidence, true};
}

}  // namespace draftgauge
