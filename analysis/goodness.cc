#include "analysis/goodness.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/domain.h"
#include "sim/error.h"

namespace draftgauge {

Goodness g_test(std::span<std::uint64_t const> counts, std::span<double const> law) {
  if (counts.size() != law.size() || law.empty()) {
    throw UsageError(
        fmt::format("{} counts against a law of {} outcomes (each outcome has one count) give as many, at least one",
                    counts.size(), law.size()));
  }
  require_law(law, "the law");
  auto const draws = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  Goodness result{0, 0, 0, 1, std::nullopt};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < law.size(); ++i) {
    if (law[i] > 0) {
      order.push_back(i);
    } else if (counts[i] > 0 && !result.impossible) {
      result.impossible = i;
    }
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(law[a], a) < std::pair(law[b], b); });

  auto const add_cell = [&](double observed, double expected) {
    ++result.cells;
    if (expected == 0) return;  // no draws
    // O ln(O/E) − (O − E), without its cancellation where O is near E: counts go to 1e13.
    double const excess = (observed - expected) / expected;
    double const half = observed == 0 ? 1
                        : excess > 1  ? (1 + excess) * std::log1p(excess) - excess
                                      : (1 + excess) * boost::math::log1pmx(excess) + excess * excess;
    result.statistic += 2 * expected * half;
  };
  double pool_observed = 0, pool_expected = 0;
  for (std::size_t const i : order) {
    double const expected = draws * law[i];
    auto const observed = static_cast<double>(counts[i]);
    bool const pool = expected < least_expected || (pool_expected > 0 && pool_expected < least_expected);
    if (pool) {
      ++result.pooled;
      pool_observed += observed;
      pool_expected += expected;
    } else {
      add_cell(observed, expected);
    }
  }
  if (result.pooled > 0) add_cell(pool_observed, pool_expected);
  if (result.impossible) {
    result.p_value = 0;
  } else if (result.cells > 1) {
    result.p_value =
        cdf(complement(boost::math::chi_squared(static_cast<double>(result.cells - 1)), result.statistic));
  }
  return result;
}

double detectable_noncentrality(std::size_t cells, double false_alarm, double power) {
  require_false_alarm(false_alarm);
  require_power(power);
  if (cells < 2) throw UsageError("a test of fewer than two cells (it finds nothing) give two or more");
  require_domain(power > false_alarm, "--power", power, "a test alarms with its false alarm even if nothing is wrong",
                 fmt::format("give more than the false alarm, {}", false_alarm));
  auto const degrees = static_cast<double>(cells - 1);
  double const critical = quantile(complement(boost::math::chi_squared(degrees), false_alarm));
  return boost::math::non_central_chi_squared::find_non_centrality(degrees, critical, 1 - power);
}

std::optional<double> detectable_tv(std::size_t cells, std::uint64_t draws, double false_alarm, double power) {
  if (cells < 2 || draws == 0) return std::nullopt;
  return std::sqrt(detectable_noncentrality(cells, false_alarm, power) / static_cast<double>(draws)) / 2;
}

std::optional<std::uint64_t> draws_to_detect(std::size_t cells, double tv, double false_alarm, double power) {
  require_tv(tv);
  double const draws = std::ceil(detectable_noncentrality(cells, false_alarm, power) / (4 * tv * tv));
  if (draws >= 0x1p64) return std::nullopt;
  return static_cast<std::uint64_t>(draws);
}

}  // namespace draftgauge
