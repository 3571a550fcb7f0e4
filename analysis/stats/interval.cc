#include "analysis/stats/interval.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

// Products of three 64-bit sums, added: fewer than 200 bits.
using Exact = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<256, 256, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

/// Boost's inverses of the incomplete beta function give up near counts of 1e11; from here on the bounds below serve.
constexpr std::uint64_t many = 10'000'000;

/// With H(a, p) the divergence of Bernoulli(a) from Bernoulli(p) and C(k) = Φ(sign(k/n − p) √(2n H(k/n, p))),
/// C(k) ≤ P(X ≤ k) ≤ C(k + 1) for X binomial(n, p) (Zubkov and Serov, Theory Probab. Appl. 57, 2013, Theorem 1). This
/// is the p at which C(k) = Φ(z). One count of slack is below 1/3000 of a standard deviation where k, n − k ≥ `many`.
double probability_where(std::uint64_t k, std::uint64_t n, double z) {
  auto const size = static_cast<double>(n);
  double const a = static_cast<double>(k) / size;
  double const rest = static_cast<double>(n - k) / size;
  auto const excess = [&](double shift) {  // p = a + shift; the linear terms of the logarithms cancel by hand
    return -2 * size * (a * boost::math::log1pmx(shift / a) + rest * boost::math::log1pmx(-shift / rest)) - z * z;
  };
  double const far = -2 * z * std::sqrt(a * rest / size);
  if (far == 0) return a;
  std::uintmax_t steps = 200;
  auto const [left, right] = boost::math::tools::toms748_solve(excess, std::min(0.0, far), std::max(0.0, far),
                                                               boost::math::tools::eps_tolerance<double>(50), steps);
  return a + (left + right) / 2;
}

double root_of(Exact const& squares, double denominator) {
  if (squares < 0) {
    throw UsageError("the sums of a tally contradict each other (no trials have these squares and products)",
                     "count them again");
  }
  return std::sqrt(squares.convert_to<double>() / denominator);
}

/// √Σ(t − ρr)². (Σr)² Σ(t − ρr)² is an integer, so the cancellation of large sums costs nothing.
double root_of_residuals(RatioSums const& s) {
  Exact const tokens = s.tokens, rounds = s.rounds;
  Exact const squares =
      rounds * rounds * s.tokens2 - 2 * tokens * rounds * s.tokens_rounds + tokens * tokens * s.rounds2;
  return root_of(squares, 1) / static_cast<double>(s.rounds);
}

/// The sample's standard deviation of r.
double deviation_of_rounds(RatioSums const& s) {
  auto const n = static_cast<double>(s.trials);
  return root_of(Exact(s.rounds2) * s.trials - Exact(s.rounds) * s.rounds, n * (n - 1));
}

/// The empirical Bernstein inequality of the header for n values in a range: L, and what follows from it.
struct Bernstein {
  double n, log;

  double slope() const { return std::sqrt(2 * log / n); }
  double rest(double range) const { return 7 * range * log / (3 * (n - 1)); }
  double radius(double deviation, double range) const { return deviation * slope() + rest(range); }

  /// The d at which d = radius + z standard errors + more, where the deviation has grown by √(range d).
  double detectable(double deviation, double range, double more = 0) const {
    double const per_deviation = slope() + normal_upper(1 - stated_power) / std::sqrt(n);
    double const half = per_deviation * std::sqrt(range) / 2;
    double const root = half + std::sqrt(half * half + deviation * per_deviation + rest(range) + more);
    return root * root;
  }
};

}  // namespace

std::optional<Interval> binomial_interval(std::uint64_t successes, std::uint64_t trials, double confidence) {
  require_confidence(confidence);
  if (successes > trials) {
    throw UsageError(fmt::format("{} successes in {} trials (each trial succeeds once at most)", successes, trials),
                     "count again");
  }
  if (trials == 0) return std::nullopt;
  auto const k = static_cast<double>(successes);
  auto const n = static_cast<double>(trials);
  auto const failures = static_cast<double>(trials - successes);
  double const tail = (1 - confidence) / 2;
  if (std::min(successes, trials - successes) > many) {  // outward by less than one count
    double const z = normal_upper(tail);
    return Interval{k / n, probability_where(successes - 1, trials, z), probability_where(successes + 1, trials, -z),
                    confidence};
  }
  double const low = successes == 0 ? 0 : boost::math::ibeta_inv(k, failures + 1, tail);
  double const high = successes == trials ? 1 : boost::math::ibetac_inv(k + 1, failures, tail);
  return Interval{k / n, low, high, confidence};
}

Interval student_interval(double value, double error, double degrees, double confidence) {
  return symmetric(value, student_quantile((1 - confidence) / 2, degrees) * error, confidence);
}

Interval central_interval(std::vector<double> draws, double value, double confidence) {
  std::ranges::sort(draws);
  auto const at = [&](double share) {
    return draws[static_cast<std::size_t>(share * static_cast<double>(draws.size() - 1) + .5)];
  };
  double const tail = (1 - confidence) / 2;
  return {value, std::min(value, at(tail)), std::max(value, at(1 - tail)), confidence, true};
}

double spread_of(std::span<double const> draws) {
  auto const n = static_cast<double>(draws.size());
  double mean = 0, squares = 0;
  for (double const x : draws) mean += x / n;
  for (double const x : draws) squares += (x - mean) * (x - mean) / n;
  return std::sqrt(squares);
}

double residual_squares(RatioSums const& sums) {
  if (sums.rounds == 0) return 0;
  double const root = root_of_residuals(sums);
  return root * root;
}

std::optional<Interval> ratio_interval(RatioSums const& sums, double confidence) {
  require_confidence(confidence);
  if (sums.trials < 2 || sums.rounds == 0) return std::nullopt;
  auto const n = static_cast<double>(sums.trials);
  auto const rounds = static_cast<double>(sums.rounds);
  double const value = static_cast<double>(sums.tokens) / rounds;
  double const error = std::sqrt(n / (n - 1)) * root_of_residuals(sums) / rounds;
  return student_interval(value, error, n - 1, confidence);
}

std::optional<Measured> bounded_ratio(RatioSums const& sums, double least, double greatest, std::uint64_t most_rounds,
                                      double confidence) {
  require_confidence(confidence);
  require_domain(greatest >= least && std::isfinite(greatest - least), "the range of the values", greatest - least,
                 "the interval needs bounds that hold for certain", "give a least and a greatest value");
  if (sums.trials < 2 || sums.rounds == 0) return std::nullopt;
  auto const n = static_cast<double>(sums.trials);
  auto const rounds = static_cast<double>(sums.rounds);
  require_domain(static_cast<double>(most_rounds) >= rounds / n, "the most rounds of a trial",
                 static_cast<double>(most_rounds), "its trials have more on average", "give a bound that holds");
  Bernstein const bernstein{n, std::log(4 / (1 - confidence))};
  double const per_round = rounds / n - deviation_of_rounds(sums) * bernstein.slope();
  if (per_round <= 0) return std::nullopt;
  double const deviation = root_of_residuals(sums) / std::sqrt(n - 1);
  double const range = (greatest - least) * static_cast<double>(most_rounds);
  double const value = static_cast<double>(sums.tokens) / rounds;
  double const radius = bernstein.radius(deviation, range) / per_round;
  return Measured{symmetric(value, radius, confidence, false), bernstein.detectable(deviation, range) / per_round};
}

std::optional<Measured> variance_estimate(std::span<std::uint64_t const> histogram, double confidence) {
  require_confidence(confidence);
  std::uint64_t const count = std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0});
  if (count < 2) return std::nullopt;
  // One pass of the histogram for each mean: it is short, and nothing cancels.
  auto const mean_of = [&](auto const& value) {
    long double sum = 0;
    for (std::size_t i = 0; i < histogram.size(); ++i)
      sum += static_cast<long double>(histogram[i]) * value(static_cast<long double>(i));
    return sum / static_cast<long double>(count);
  };
  long double const mean = mean_of([](long double x) { return x; });
  auto const square = [&](long double x) { return (x - mean) * (x - mean); };
  long double const central = mean_of(square);
  long double const spread = mean_of([&](long double x) { return (square(x) - central) * (square(x) - central); });
  auto const n = static_cast<double>(count);
  auto const m = static_cast<double>(central);
  double const unbiased = n / (n - 1);
  double const deviation = std::sqrt(m * unbiased);
  auto const range = static_cast<double>(histogram.size() - 1);
  Bernstein const bernstein{n, std::log(8 / (1 - confidence))};
  double const of_mean = bernstein.radius(deviation, range);
  double const of_squares = std::sqrt(static_cast<double>(spread) * unbiased) + 2 * of_mean * deviation;
  double const radius = bernstein.radius(of_squares, range * range);
  return Measured{{m * unbiased, std::max(0.0, m - radius), m + of_mean * of_mean + radius, confidence},
                  bernstein.detectable(of_squares, range * range, of_mean * of_mean)};
}

Verdict judge(bool rejected, std::optional<double> detectable, double wanted) {
  if (rejected) return Verdict::fails;
  return detectable && *detectable <= wanted ? Verdict::holds : Verdict::inconclusive;
}

}  // namespace draftgauge
