#include "analysis/verifier/tv_lower.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/stats/interval.h"
#include "analysis/theory/domain.h"

namespace draftgauge {

double tv_at_least(std::span<std::uint64_t const> first, std::span<std::uint64_t const> second,
                   std::span<double const> law, double confidence) {
  require_confidence(confidence);
  auto const n = static_cast<double>(std::accumulate(first.begin(), first.end(), std::uint64_t{0}));
  std::uint64_t const draws = std::accumulate(second.begin(), second.end(), std::uint64_t{0});
  std::uint64_t inside = 0;
  double claimed = 0;
  for (std::size_t x = 0; x < law.size(); ++x) {
    double const expected = n * law[x];
    if (static_cast<double>(first[x]) <= expected + 2 * std::sqrt(expected)) continue;
    inside += second[x];
    claimed += law[x];
  }
  if (confidence <= .5) return 0;  // as good as a coin: nothing is claimed
  auto const interval = binomial_interval(inside, draws, 2 * confidence - 1);  // one-sided
  return interval ? std::max(0.0, interval->low - claimed) : 0;
}

}  // namespace draftgauge
