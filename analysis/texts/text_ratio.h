#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/stats/interval.h"
#include "analysis/texts/text_sample.h"

namespace draftgauge {

/// A figure estimated from n independent texts, which knows what each text does to it. Means over texts are such
/// figures, and so is every smooth function of such figures over the same texts: the operators below carry the
/// linearisation (the delta method) and the bootstrap along, so that a ratio, Eq. (1) at an estimated α, a speed-up
/// and the difference of any two are all estimated in the same way, and a difference knows what its sides share.
struct TextEstimate {
  std::shared_ptr<TextSample const> sample;
  double value;
  std::vector<double> influence;  ///< [n] d_i with estimate − truth ≈ Σ d_i, Σ d_i = 0
  std::vector<double> resampled;  ///< [resamples] the figure in each; NaN where a resample does not define it
  /// Of its error, at most: fewer than the sample's where only some of the texts say anything of a part of the figure.
  double most_degrees = HUGE_VAL;

  std::size_t texts() const { return influence.size(); }
  /// Degrees of freedom of its error.
  double degrees() const { return std::min(most_degrees, sample->degrees()); }
  /// √Σ d_i²/(1 − h_i), h_i the text's share of the tokens: a text pulls the estimate towards itself, by as much as
  /// it weighs (Bell and McCaffrey, Survey Methodology 28, 2002). Where all texts are as long this is the delta
  /// method's √(n/(n−1) Σ d_i²) (Cochran, Sampling Techniques, 1977, Eq. 2.39). Domain: n ≥ 2.
  double standard_error() const;
  /// Every text says the same, up to rounding: they have no spread to tell an error from. Domain: n ≥ 2.
  bool texts_agree() const;
  /// f of the figure, given f and its derivative.
  TextEstimate through(auto const& f, auto const& derivative) const;
};

/// A number that no text changes.
TextEstimate certain(double value, std::shared_ptr<TextSample const> const& sample);

/// The mean over texts of one number a text: [n].
TextEstimate mean_over_texts(std::span<double const> per_text, std::shared_ptr<TextSample const> const& sample);

// Both sides of equal samples, else std::logic_error.
TextEstimate operator+(TextEstimate const& a, TextEstimate const& b);
TextEstimate operator-(TextEstimate const& a, TextEstimate const& b);
TextEstimate operator*(TextEstimate const& a, TextEstimate const& b);
TextEstimate operator/(TextEstimate const& a, TextEstimate const& b);
TextEstimate operator+(TextEstimate a, double b);
TextEstimate operator*(TextEstimate a, double b);

/// value ± t(ν) standard errors; none below two texts, where the value or its error is not finite, and where all texts
/// agree: how far other texts would lie apart is not known then. Asymptotic in the number of texts. ν = degrees(), n
/// − 1 where all texts are as long: with lengths from 20 to 200, t(n − 1) and the plain error cover .93 at 10 texts,
/// these .95. What they cover is measured in tests/analysis/stats/coverage_test.cc; below ten texts it may be less
/// than what they say.
std::optional<Interval> delta_interval(TextEstimate const& estimate, double confidence);

/// The percentile interval of the resamples, beside the other: at 95 % it covers .72 at 3 texts, .89 at 10, .93 at
/// 28. None below two texts, where all texts agree, without resamples, or where one of them does not define the figure.
std::optional<Interval> bootstrap_interval(TextEstimate const& estimate, double confidence);

/// b − a for estimates from different texts: their variances add, and the degrees of freedom are Welch and
/// Satterthwaite's (Biometrika 34, 1947; Biometrics Bull. 2, 1946). None where delta_interval of either is none.
struct UnpairedDifference {
  double value, error, degrees;
};
std::optional<UnpairedDifference> unpaired_difference(TextEstimate const& a, TextEstimate const& b);
std::optional<Interval> unpaired_interval(TextEstimate const& a, TextEstimate const& b, double confidence);

TextEstimate TextEstimate::through(auto const& f, auto const& derivative) const {
  TextEstimate result = *this;
  double const slope = derivative(value);
  result.value = f(value);
  for (double& d : result.influence) d *= slope;
  for (double& r : result.resampled) r = f(r);
  return result;
}

}  // namespace draftgauge
