#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/stats/false_alarm.h"

namespace draftgauge {

/// An estimate and the interval that covers the truth with probability `confidence`, two-sided.
struct Interval {
  double value, low, high, confidence;
  bool asymptotic = false;  ///< the confidence is that of a limit, approached as the sample grows

  bool covers(double truth) const { return low <= truth && truth <= high; }
};

/// With what a function makes of the value and of both ends, in the place of each.
template <class F>
Interval mapped(Interval interval, F const& f) {
  for (double* each : {&interval.value, &interval.low, &interval.high}) *each = f(*each);
  return interval;
}

/// factor > 0.
inline Interval scaled(Interval const& interval, double factor) {
  return mapped(interval, [&](double x) { return x * factor; });
}

/// value ± radius.
inline Interval symmetric(double value, double radius, double confidence, bool asymptotic = true) {
  return {value, value - radius, value + radius, confidence, asymptotic};
}

/// value ± t(degrees)·error; of infinite degrees normal.
Interval student_interval(double value, double error, double degrees, double confidence);

/// Whether a spread of values about this one is that of their last digits: they say nothing of an error then.
inline bool only_rounding(double spread, double value) { return spread <= 1e-12 * std::max(1., std::abs(value)); }

/// What a ratio estimator of tokens per round needs, over n independent trials with t tokens in r rounds each: the
/// trial is the unit of replication, since rounds within one may depend on each other. All sums are exact.
struct RatioSums {
  std::uint64_t trials;         ///< n
  std::uint64_t tokens;         ///< Σt
  std::uint64_t rounds;         ///< Σr
  std::uint64_t tokens2;        ///< Σt²
  std::uint64_t tokens_rounds;  ///< Σtr
  std::uint64_t rounds2;        ///< Σr²

  /// So many trials, each of t tokens in r rounds.
  void add(std::uint64_t t, std::uint64_t r, std::uint64_t times = 1) {
    trials += times;
    tokens += times * t;
    rounds += times * r;
    tokens2 += times * t * t;
    tokens_rounds += times * t * r;
    rounds2 += times * r * r;
  }
};

/// An interval and what its sample could have shown.
struct Measured {
  Interval interval;
  double detectable;  ///< how far a claim must be from the truth for the interval to exclude it with `stated_power`
};

/// Clopper and Pearson (Biometrika 26, 1934): covers with at least `confidence` at every n and every probability;
/// above 1e7 successes and failures it is widened by less than a count. The estimate is successes/trials.
/// successes ≤ trials, else UsageError; none for no trials.
std::optional<Interval> binomial_interval(std::uint64_t successes, std::uint64_t trials, double confidence);

/// Σt/Σr with the delta method's interval, ± t(n−1) · √(n/(n−1) Σ(t − ρr)²) / Σr (Cochran, Sampling Techniques, 1977,
/// Eq. 2.39). Asymptotic in n; where every r is equal it is Student's interval for the mean. None below two trials or
/// without a round. Where no trial differs from the ratio the interval is a point: to judge, use `bounded_ratio`.
std::optional<Interval> ratio_interval(RatioSums const& sums, double confidence);

/// The middle `confidence` of these values, which are draws of a figure, widened to hold its `value`. At least one
/// draw.
Interval central_interval(std::vector<double> draws, double value, double confidence);
/// Their standard deviation, with as many degrees of freedom as there are draws.
double spread_of(std::span<double const> draws);

/// Σ(t − ρr)², ρ = Σt/Σr: how much the trials differ from their ratio.
double residual_squares(RatioSums const& sums);

/// ρ = E[t]/E[r] for independent trials with least·r ≤ t ≤ greatest·r and r ≤ most_rounds. Holds at every n ≥ 2 and
/// every law, also at false alarms of 1e-9 where the t interval's tails are only a hope, and is never a point.
///
/// Proof. The mean of n independent values in a range of length R is within s√(2L/n) + 7RL/(3(n−1)) of its
/// expectation with probability ≥ confidence, s² their sample variance, L = ln(4/(1 − confidence)): the empirical
/// Bernstein inequality (Maurer and Pontil 2009, arXiv 0907.3740, Theorem 4) on both sides. Apply it to D = t − ρr,
/// of expectation 0 and range R = (greatest − least) most_rounds. With ρ̂ = Σt/Σr, the mean of D is (ρ̂ − ρ) r̄ and
/// its deviation at most s(t − ρ̂r) + |ρ̂ − ρ| s(r). Solved for |ρ̂ − ρ|:
///   |ρ̂ − ρ| ≤ (s(t − ρ̂r) √(2L/n) + 7RL/(3(n−1))) / (r̄ − s(r) √(2L/n)).
/// None below two trials, without a round, or where the denominator is not positive.
///
/// Detectable: the radius plus z standard errors at stated_power, normal approximation of the estimate. The trials
/// give the deviation s, to which a wrong law that moves D one way by d in the mean adds at most √(Rd) (its square moves
/// by at most R d): without that, a sample that shows no spread would promise to find rare events which it cannot.
std::optional<Measured> bounded_ratio(RatioSums const& sums, double least, double greatest, std::uint64_t most_rounds,
                                      double confidence);

/// The variance of a count from its histogram, which has one entry for every possible value: of length R + 1, the
/// counts lie in a range of length R. Holds at every n ≥ 2 and every law; none below two counts. Value: s².
///
/// Proof. Let μ be the mean, x̄ the sample's, m = Σ(x − x̄)²/n, Y = (x − μ)² in [0, R²], E[Y] = σ². By the inequality
/// of `bounded_ratio`, at half its false alarm each (L = ln(8/(1 − confidence))):
///   |x̄ − μ| ≤ r = s√(2L/n) + 7RL/(3(n−1)),
///   |mean(Y) − σ²| ≤ s(Y)√(2L/n) + 7R²L/(3(n−1)).
/// Now mean(Y) = m + (x̄ − μ)², and as Y = (x − x̄)² + 2(x̄ − μ)(x − x̄) + (x̄ − μ)², s(Y) ≤ s((x − x̄)²) + 2rs. So
/// with ρ = (s((x − x̄)²) + 2rs)√(2L/n) + 7R²L/(3(n−1)): m − ρ ≤ σ² ≤ m + r² + ρ.
///
/// Detectable: as in `bounded_ratio`, for Y.
std::optional<Measured> variance_estimate(std::span<std::uint64_t const> histogram, double confidence);

/// What a check says. A sample that could not have shown the effect asked for says nothing: inconclusive, never
/// holds.
enum class Verdict { holds, fails, inconclusive };

/// `rejected`: the test's alarm. `detectable`: the effect that its sample finds at the stated power, none if no
/// effect is found; `wanted`: the effect that the user asks about, same unit.
Verdict judge(bool rejected, std::optional<double> detectable, double wanted);

}  // namespace draftgauge
