#include "analysis/certificate.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "analysis/domain.h"
#include "analysis/false_alarm.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

using std::numbers::pi;

/// What the proof needs to know of the claimed law.
struct Claim {
  double cells;   // V
  double spread;  // s(p) = Σ √(p(1 − p))
};

Claim claim_of(std::span<double const> law) {
  if (law.empty()) throw UsageError("the law has no outcomes (there is nothing to certify) give one or more");
  require_law(law, "the law");
  long double spread = 0;
  for (double const p : law) spread += std::sqrt(std::max(0.0, p * (1 - p)));
  return {static_cast<double>(law.size()), static_cast<double>(spread)};
}

double by_subsets(Claim const& claim, double n, double log_doubt, double observed) {
  double const log_subsets = claim.cells * std::numbers::ln2 + std::log1p(-std::exp2(1 - claim.cells));
  return observed + std::sqrt((log_subsets + log_doubt) / (2 * n));
}

double by_mean(Claim const& claim, double n, double log_doubt, double observed) {
  double const deviation = std::sqrt(log_doubt / (2 * n));
  double least = 1;
  struct Line {
    double slope, offset;  // E[D] ≤ slope s(P) + offset
  };
  for (auto const [slope, offset] :
       {Line{.5 / std::sqrt(n), 0}, Line{1 / std::sqrt(2 * pi * n), claim.cells / (2 * n)}}) {
    double const common = observed + offset + deviation;
    double const b = slope * std::sqrt(2 * claim.cells);
    double const root = (b + std::sqrt(b * b + 4 * (common + slope * claim.spread))) / 2;
    least = std::min({least, common + slope * std::sqrt(claim.cells - 1), root * root});
  }
  return least;
}

/// The observed TV at the normal quantile `z` of its law, if the output law is p.
double forecast(Claim const& claim, double n, double z) {
  return (claim.spread / std::sqrt(2 * pi) + z * std::sqrt((1 - 2 / pi) / 4)) / std::sqrt(n);
}

/// The bound from the event that is expected to serve better, chosen without a look at the counts.
double bound(Claim const& claim, double n, double confidence, double observed) {
  if (claim.cells == 1) return 0;  // there is one law only
  double const log_doubt = -std::log1p(-confidence);
  double const expected = forecast(claim, n, 0);
  bool const subsets = by_subsets(claim, n, log_doubt, expected) < by_mean(claim, n, log_doubt, expected);
  return std::min(1.0, (subsets ? by_subsets : by_mean)(claim, n, log_doubt, observed));
}

}  // namespace

std::optional<Certificate> certify(std::span<std::uint64_t const> counts, std::span<double const> law,
                                   double confidence) {
  require_confidence(confidence);
  if (counts.size() != law.size()) {
    throw UsageError(fmt::format("{} counts against a law of {} outcomes (each outcome has one count) give as many",
                                 counts.size(), law.size()));
  }
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

std::optional<std::uint64_t> draws_to_certify(std::span<double const> law, double tv, double confidence) {
  require_confidence(confidence);
  require_tv(tv);
  Claim const claim = claim_of(law);
  double const z = quantile(boost::math::normal(), stated_power);
  auto const enough = [&](double n) { return bound(claim, n, confidence, forecast(claim, n, z)) <= tv; };
  double low = 0, high = 1;
  for (; !enough(high); high *= 2) {
    if (high >= 0x1p63) return std::nullopt;
    low = high;
  }
  while (high - low > std::max(1.0, high * 1e-15)) {
    double const middle = std::floor((low + high) / 2);
    (enough(middle) ? high : low) = middle;
  }
  return static_cast<std::uint64_t>(high);
}

}  // namespace draftgauge
