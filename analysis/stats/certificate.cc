#include "analysis/stats/certificate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/stats/false_alarm.h"
#include "analysis/stats/least_enough.h"
#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

using std::numbers::pi;

/// What the proof needs to know of the claimed law.
struct Claim {
  std::span<double const> law;
  double cells;   // V
  double spread;  // s(p) = Σ √(p(1 − p))
};

Claim claim_of(std::span<double const> law) {
  if (law.empty())
    throw UsageError("the distribution has no outcomes (there is nothing to certify)", "give one or more");
  require_law(law, "the distribution");
  long double spread = 0;
  for (double const p : law) spread += std::sqrt(std::max(0.0, p * (1 - p)));
  return {law, static_cast<double>(law.size()), static_cast<double>(spread)};
}

/// The observed TV in the mean, if the output law is p.
double forecast(Claim const& claim, double n) {
  double mean = 0;
  for (double const p : claim.law) {
    double const v = std::max(0.0, p * (1 - p));
    mean +=
        std::min(std::sqrt(v / (2 * pi * n)), v);  // E|E_y − p_y| ≤ 2v, by the triangle's inequality over the draws
  }
  return mean;
}

double by_set(double n, double doubt, double observed) {
  double const z = std::max(0.0, normal_upper(doubt));
  return observed + z / (2 * std::sqrt(n)) + 1 / n;
}

/// h(σ, d) = E|σZ + d| for a normal Z.
double mean_of_absolute(double sigma, double d) {
  if (!(sigma > 0)) return d;
  double const u = d / sigma;
  return sigma * std::sqrt(2 / pi) * std::exp(-u * u / 2) + d * std::erf(u / std::numbers::sqrt2);
}

double by_mean(Claim const& claim, double n, double doubt, double observed) {
  constexpr int passes = 4;  // each changes the bound by less than the one before; all of them hold
  constexpr int halvings = 60;
  double const mean = std::max(observed, forecast(claim, n)) + std::sqrt(-std::log(doubt) / (2 * n));
  double bound = std::min(1.0, mean);
  for (int pass = 0; pass < passes; ++pass) {
    double const spread = std::max(0.0, claim.spread - std::sqrt(2 * claim.cells * bound)) / std::sqrt(n);
    double low = 0;
    for (int i = 0; i < halvings; ++i) {
      double const x = (low + bound) / 2;
      (mean_of_absolute(spread, 2 * x) / 2 > mean + claim.cells / (2 * n) ? bound : low) = x;
    }
  }
  return bound;
}

/// The bound by the way that is expected to serve better, chosen without a look at the counts.
double bound(Claim const& claim, double n, double confidence, double observed) {
  if (claim.cells == 1) return 0;  // there is one law only
  double const doubt = 1 - confidence;
  double const expected = forecast(claim, n);
  bool const one_set = by_set(n, doubt, expected) < by_mean(claim, n, doubt, expected);
  return std::min(1.0, one_set ? by_set(n, doubt, observed) : by_mean(claim, n, doubt, observed));
}

}  // namespace

std::optional<Certificate> certify(std::span<std::uint64_t const> counts, std::span<double const> law,
                                   double confidence) {
  require_confidence(confidence);
  if (counts.size() != law.size()) refuse_counts(counts.size(), law.size(), "give as many");
  Claim const claim = claim_of(law);
  std::uint64_t const draws = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (draws == 0) return std::nullopt;
  auto const n = static_cast<double>(draws);
  long double distance = 0;
  for (std::size_t x = 0; x < law.size(); ++x) {
    distance += std::fabs(static_cast<long double>(counts[x]) / n - static_cast<long double>(law[x])) / 2;
  }
  auto const observed = static_cast<double>(distance);
  return Certificate{bound(claim, n, confidence, observed), observed, confidence, draws};
}

double scatter(std::size_t outcomes, std::uint64_t draws, double confidence) {
  require_confidence(confidence);
  auto const n = static_cast<double>(draws);
  return std::sqrt((static_cast<double>(outcomes) - 1) / n) / 2 + std::sqrt(-std::log1p(-confidence) / (2 * n));
}

std::optional<std::uint64_t> draws_to_certify(std::span<double const> law, double tv, double confidence) {
  require_confidence(confidence);
  require_tv(tv);
  Claim const claim = claim_of(law);
  double const z = normal_quantile(stated_power);
  auto const enough = [&](std::uint64_t draws) {
    auto const n = static_cast<double>(draws);
    return bound(claim, n, confidence, forecast(claim, n) + z * std::sqrt((1 - 2 / pi) / (4 * n))) <= tv;
  };
  constexpr std::uint64_t digits = 1'000'000'000'000'000;  // those of a double
  return least_enough(enough, 1, std::uint64_t{1} << 63, digits);
}

}  // namespace draftgauge
