#include "analysis/stats/kaplan_meier.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>

#include <fmt/format.h>

#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/chance/layout.h"

namespace draftgauge {
namespace {

/// Uniform in (0, 1): never an end, where a quantile may be infinite.
double uniform(std::uint64_t seed, std::uint64_t draw, std::uint32_t position) {
  std::uint64_t const bits = layout::Address::of(seed, draw, position).words(layout::resampled, 1).pair(0);
  return (static_cast<double>(bits >> 12) + .5) * 0x1p-52;
}

/// Of Beta(a, b). Boost's inverse gives up where both are near 1e12; from `many` on the normal law of the same mean and
/// variance is off by less than a hundredth of a deviation.
double share_quantile(double a, double b, double p) {
  constexpr double many = 1e7;
  if (std::min(a, b) < many) return quantile(boost::math::beta_distribution<double>(a, b), p);
  double const n = a + b, mean = a / n;
  return mean + normal_quantile(p) * std::sqrt(mean * (b / n) / (n + 1));
}

}  // namespace

void require_histogram(std::span<std::int64_t const> kept) {
  if (kept.size() < 2)
    throw UsageError(fmt::format("a histogram of rounds has {} (a round of γ drafts keeps 0 to γ of them)",
                                 kept.empty() ? "no count" : "one count"),
                     "give γ + 1 counts, such as 30,20,10,40");
  for (std::int64_t const count : kept)
    if (count < 0 || count > most_rounds)
      throw UsageError(fmt::format("a histogram of rounds has the count {} (it counts rounds)", count),
                       fmt::format("give 0 to {}", most_rounds));
}

KaplanMeier kaplan_meier(std::span<std::vector<std::int64_t> const> histograms) {
  if (histograms.empty()) require_histogram({});
  KaplanMeier found;
  for (std::vector<std::int64_t> const& kept : histograms) {
    require_histogram(kept);
    std::size_t const gamma = kept.size() - 1;
    if (found.reached.size() < gamma) found.reached.resize(gamma), found.rejected.resize(gamma);
    std::uint64_t reached = static_cast<std::uint64_t>(kept[gamma]);
    for (std::size_t i = gamma; i-- > 0;) {
      reached += static_cast<std::uint64_t>(kept[i]);
      found.reached[i] += reached;
      found.rejected[i] += static_cast<std::uint64_t>(kept[i]);
    }
    found.rounds += reached;
  }
  if (found.rounds == 0)
    throw UsageError("no round is counted (there is nothing to estimate from)", "give counts above 0");
  double survived = 1;
  for (std::size_t i = 0; i < found.reached.size(); ++i) {
    if (found.reached[i] > 0)
      survived *=
          static_cast<double>(found.reached[i] - found.rejected[i]) / static_cast<double>(found.reached[i]);
    else if (survived > 0)
      break;
    found.survival.push_back(survived);
  }
  found.reached.resize(found.survival.size());
  found.rejected.resize(found.survival.size());
  return found;
}

std::vector<std::vector<double>> survival_draws(KaplanMeier const& counted, std::size_t draws, std::uint64_t seed) {
  std::vector<std::vector<double>> all(draws);
  std::vector<double> rates(counted.reached.size());
  for (std::size_t b = 0; b < draws; ++b) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      auto const rejected = static_cast<double>(counted.rejected[i]);
      auto const kept = static_cast<double>(counted.reached[i]) - rejected;
      rates[i] = share_quantile(kept + .5, rejected + .5, uniform(seed, b, static_cast<std::uint32_t>(i)));
    }
    all[b] = survival_of_rates(rates);
  }
  return all;
}

void require_draws(std::size_t draws, std::size_t longest, std::size_t for_set) {
  std::size_t const most = most_drawn / std::max<std::size_t>({draws, for_set, 1});
  if (longest <= most) return;
  bool const asked = draws > 0 && longest > most_drawn / draws;
  throw UsageError(fmt::format("{} of drafts of up to {} tokens are too many (at most {} resamples times tokens are "
                               "drawn)",
                               asked ? fmt::format("{} resamples", draws)
                                     : fmt::format("the {} resamples of the confidence set", for_set),
                               longest, most_drawn),
                   fmt::format("add `most` {}, the longest draft to look at", most));
}

std::vector<double> survival_of_rates(std::span<double const> rates) {
  std::vector<double> survival;
  double reached = 1;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    require_domain(rates[i] >= 0 && rates[i] <= 1, fmt::format("the rate of draft {}", i + 1), rates[i],
                   "it is the probability of acceptance after the drafts before it", "give numbers from 0 to 1");
    survival.push_back(reached *= rates[i]);
  }
  return survival;
}

}  // namespace draftgauge
