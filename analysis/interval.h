#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace draftgauge {

/// An estimate and the interval that covers the truth with probability `confidence`, two-sided.
struct Interval {
  double value, low, high, confidence;

  bool covers(double truth) const { return low <= truth && truth <= high; }
};

/// What a ratio estimator of tokens per round needs, over n independent trials with t tokens in r rounds each: the
/// trial is the unit of replication, since rounds within one may depend on each other. All sums are exact.
struct RatioSums {
  std::uint64_t trials;         ///< n
  std::uint64_t tokens;         ///< Σt
  std::uint64_t rounds;         ///< Σr
  std::uint64_t tokens2;        ///< Σt²
  std::uint64_t tokens_rounds;  ///< Σtr
  std::uint64_t rounds2;        ///< Σr²
};

/// Mean and variance of a count, each with its interval.
struct Moments {
  Interval mean, variance;
};

/// Clopper and Pearson (Biometrika 26, 1934): covers with at least `confidence` at every n and every probability;
/// above 1e7 successes and failures it is widened by less than a count. The estimate is successes/trials.
/// successes ≤ trials, else UsageError; none for no trials.
std::optional<Interval> binomial_interval(std::uint64_t successes, std::uint64_t trials, double confidence);

/// Σt/Σr with the delta method's interval, ± t(n−1) · √(n/(n−1) Σ(t − ρr)²) / Σr (Cochran, Sampling Techniques, 1977,
/// Eq. 2.39). Asymptotic in n; where every r is equal it is Student's interval for the mean. None below two trials or
/// without a round. Where no trial differs from the ratio the interval is a point: use `bounded_ratio_interval` to
/// judge.
std::optional<Interval> ratio_interval(RatioSums const& sums, double confidence);

/// The mean of n independent values in [least, greatest] by the empirical Bernstein inequality (Maurer and Pontil
/// 2009, arXiv 0907.3740, Theorem 4, both sides): ± √(2 s² L/n) + 7 (greatest − least) L / (3(n−1)), L =
/// ln(4/(1−confidence)). Holds at every n and every law, also at false alarms of 1e-9 where the t interval's tails
/// are only a hope, and is never a point. For trials of equally many rounds: sums over trials, values t/r. None below
/// two trials, or where r varies.
std::optional<Interval> bounded_ratio_interval(RatioSums const& sums, double least, double greatest,
                                               double confidence);

/// From histogram[i] = how often the count was first_value + i. Mean: Student's interval. Variance:
/// s² ± z √((m₄ − s⁴ (n−3)/(n−1))/n), the normal interval from the variance of s² (Cramér 1946, 27.4), m₄ the fourth
/// central moment; asymptotic in n, and right where a χ² interval is not, since counts are not normal. None below two
/// counts.
std::optional<Moments> histogram_moments(std::span<std::uint64_t const> histogram, std::int64_t first_value,
                                         double confidence);

/// Which of a family of checks to call failures so that the probability of any false one is at most `false_alarm`,
/// whatever their dependence: Holm's step-down (Scand. J. Statist. 6, 1979), which fails all that Bonferroni does and
/// more. A p-value outside [0, 1] or NaN is a UsageError.
std::vector<bool> holm_failures(std::span<double const> p_values, double false_alarm);

/// The smallest and greatest success probability that the test "the Clopper–Pearson interval at confidence 1 −
/// false_alarm excludes p0" tells from p0 with probability at least `power`; exact to a count. 0 ≤ low ≤ p0 ≤ high ≤
/// 1; none on a side where even certainty is not enough (too few trials).
struct Detectable {
  std::optional<double> low, high;
};
Detectable detectable_probability(double p0, std::uint64_t trials, double false_alarm, double power);

/// The shift of a mean that a t test on `trials` values finds with probability `power`, (t(n−1) + z) ·
/// standard_error. None below two trials.
std::optional<double> detectable_shift(double standard_error, std::uint64_t trials, double false_alarm, double power);

/// What a check says. A sample that could not have shown the effect asked for says nothing: inconclusive, never
/// holds.
enum class Verdict { holds, fails, inconclusive };

/// `rejected`: the test's alarm. `detectable`: the effect that its sample finds at the stated power, none if no
/// effect is found; `wanted`: the effect that the user asks about, same unit.
Verdict judge(bool rejected, std::optional<double> detectable, double wanted);

}  // namespace draftgauge
