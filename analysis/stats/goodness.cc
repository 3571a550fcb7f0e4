#include "analysis/stats/goodness.h"

#include <algorithm>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/stats/least_enough.h"
#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// How many of the least probabilities go into the pool, and their sum.
struct Pool {
  std::size_t size = 0;
  double mass = 0;
};

/// `sorted`: the positive probabilities, ascending.
Pool pool_of(std::span<double const> sorted, double draws) {
  Pool pool;
  for (double const p : sorted) {
    if (draws * p >= least_expected && (pool.size == 0 || draws * pool.mass >= least_expected)) break;
    ++pool.size;
    pool.mass += p;
  }
  return pool;
}

Goodness untested(std::span<double const> sorted, std::size_t zeros, std::uint64_t draws) {
  Pool const pool = pool_of(sorted, static_cast<double>(draws));
  std::size_t const cells = sorted.size() - pool.size + (pool.size > 0 ? 1 : 0);
  return {.statistic = 0,
          .cells = cells,
          .pooled = pool.size,
          .p_value = 1,
          .impossible = std::nullopt,
          .draws = draws,
          .hidden_tv = pool.size > 1 ? pool.mass - sorted.front() : 0,
          .zeros = zeros,
          .asymptotic = cells > 1};
}

/// The outcomes that are possible, by probability ascending, of equal ones by number.
struct Ascending {
  std::vector<std::size_t> order = {};
  std::vector<double> sorted = {};

  explicit Ascending(std::span<double const> law) {
    for (std::size_t i = 0; i < law.size(); ++i)
      if (law[i] > 0) order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(law[i], i); });
    for (std::size_t const i : order) sorted.push_back(law[i]);
  }
};

}  // namespace

double distance(std::span<double const> a, std::span<double const> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

Goodness g_test(std::span<std::uint64_t const> counts, std::span<double const> law) {
  if (counts.size() != law.size() || law.empty())
    refuse_counts(counts.size(), law.size(), "give as many, at least one");
  require_law(law, "the distribution");
  std::optional<std::size_t> impossible;
  for (std::size_t i = 0; i < law.size() && !impossible; ++i)
    if (!(law[i] > 0) && counts[i] > 0) impossible = i;
  auto const [order, sorted] = Ascending(law);
  Goodness result =
      untested(sorted, law.size() - order.size(), std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  if (impossible) {
    result.impossible = impossible;
    result.p_value = 0;
    result.asymptotic = false;
  }
  auto const draws = static_cast<double>(result.draws);

  double inverse = 0;  // Σ (1/E + 1/E² − 1/(nE)) over the cells tested
  auto const add_cell = [&](double observed, double expected) {
    if (expected == 0) return;  // no draws
    inverse += (1 + 1 / expected - 1 / draws) / expected;
    // O ln(O/E) − (O − E), without its cancellation where O is near E: counts go to 1e13.
    double const excess = (observed - expected) / expected;
    double const half = observed == 0 ? 1
                        : excess > 1  ? (1 + excess) * std::log1p(excess) - excess
                                      : (1 + excess) * boost::math::log1pmx(excess) + excess * excess;
    result.statistic += 2 * expected * half;
  };
  double pool_observed = 0, pool_expected = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    auto const observed = static_cast<double>(counts[order[rank]]);
    double const expected = draws * sorted[rank];
    if (rank < result.pooled) {
      pool_observed += observed;
      pool_expected += expected;
    } else {
      add_cell(observed, expected);
    }
  }
  if (result.pooled > 0) add_cell(pool_observed, pool_expected);
  if (result.cells > 1) {
    auto const degrees = static_cast<double>(result.cells - 1);
    result.correction = 1 + (inverse - 1 / draws) / (6 * degrees);
    if (!impossible) result.p_value = chi_squared_tail(result.statistic / result.correction, degrees);
  }
  return result;
}

double detectable_noncentrality(std::size_t cells, double false_alarm, double power) {
  require_false_alarm(false_alarm);
  require_power(power);
  if (cells < 2) throw UsageError("a test of fewer than two cells (it finds nothing)", "give two or more");
  require_domain(power > false_alarm, "`power`", power, "a test alarms with its false alarm even if nothing is wrong",
                 fmt::format("give more than the false alarm, {}", false_alarm));
  auto const degrees = static_cast<double>(cells - 1);
  double const critical = chi_squared_upper(false_alarm, degrees);
  return boost::math::non_central_chi_squared::find_non_centrality(degrees, critical, 1 - power);
}

std::optional<double> detectable_tv(Goodness const& test, double false_alarm, double power) {
  require_false_alarm(false_alarm);
  require_power(power);
  bool const one_pool = test.cells <= 1 && test.pooled > 1;
  if (test.draws == 0 || (one_pool && test.zeros == 0)) return std::nullopt;
  auto const n = static_cast<double>(test.draws);
  double tv = test.hidden_tv;
  if (test.cells > 1) tv += std::sqrt(detectable_noncentrality(test.cells, false_alarm, power) / n) / 2;
  if (test.zeros > 0) tv -= std::expm1(std::log1p(-power) / n);
  return tv < 1 ? std::optional(tv) : std::nullopt;
}

std::optional<std::uint64_t> draws_to_detect(std::span<double const> law, double tv, double false_alarm,
                                             double power) {
  require_law(law, "the distribution");
  require_tv(tv);
  std::vector<double> const sorted = Ascending(law).sorted;
  auto const enough = [&](std::uint64_t draws) {
    auto const found = detectable_tv(untested(sorted, law.size() - sorted.size(), draws), false_alarm, power);
    return found && *found <= tv;
  };
  return least_enough(enough, 1, std::uint64_t{1} << 63, std::numeric_limits<std::uint64_t>::max());
}

std::optional<std::uint64_t> draws_to_find(std::span<double const> law, std::span<double const> wrong,
                                           double false_alarm, double power) {
  if (law.size() != wrong.size())
    throw UsageError("the two distributions are over different outcomes", "give as many of each");
  require_law(law, "the distribution");
  require_law(wrong, "the wrong distribution");
  double impossible = 0;  // what the wrong law gives to outcomes of probability 0
  for (std::size_t i = 0; i < law.size(); ++i)
    if (!(law[i] > 0)) impossible += wrong[i];
  Ascending const possible(law);
  std::vector<std::size_t> const& order = possible.order;
  std::vector<double> const& sorted = possible.sorted;
  auto const enough = [&](std::uint64_t draws) {
    auto const n = static_cast<double>(draws);
    if (impossible > 0 && -std::expm1(n * std::log1p(-std::min(impossible, 1 - 1e-16))) >= power) return true;
    Pool const pool = pool_of(sorted, n);
    double noncentrality = 0, pooled = 0;
    auto const add = [&](double difference, double p) { noncentrality += n * difference * difference / p; };
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      double const difference = wrong[order[rank]] - sorted[rank];
      if (rank < pool.size)
        pooled += difference;
      else
        add(difference, sorted[rank]);
    }
    if (pool.size > 0) add(pooled, pool.mass);
    std::size_t const cells = order.size() - pool.size + (pool.size > 0 ? 1 : 0);
    return cells > 1 && noncentrality >= detectable_noncentrality(cells, false_alarm, power);
  };
  return least_enough(enough, 1, std::uint64_t{1} << 62, 1024);  // to a thousandth, as the power is asymptotic
}

}  // namespace draftgauge
