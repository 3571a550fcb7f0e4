#include "analysis/load/request_rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/load/batch_grid.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

struct Chance {
  double mean, waiting;  ///< E[B], P(B > the largest batch)
};

/// By the probabilities of B, whose factors ρ_j = asked·t(j)/j are constant from the last measured j on.
Chance by_chance(std::span<double const> ms, double asked_per_ms) {
  std::vector<double> logs{0};  // of what the probability of b is proportional to
  double ratio = 0;
  for (std::size_t b = 1; b <= ms.size(); ++b) {
    ratio = asked_per_ms * ms[b - 1] / static_cast<double>(b);
    logs.push_back(logs.back() + std::log(ratio));
  }
  double const greatest = std::ranges::max(logs);
  double total = 0, sum = 0;
  for (std::size_t b = 0; b < logs.size(); ++b) {
    double const weight = std::exp(logs[b] - greatest);
    total += weight;
    sum += weight * static_cast<double>(b);
  }
  // Beyond the last: Σ_{k ≥ 1} ρ^k and Σ k·ρ^k.
  double const last = std::exp(logs.back() - greatest), beyond = last * ratio / (1 - ratio);
  total += beyond;
  sum += beyond * static_cast<double>(ms.size()) + last * ratio / ((1 - ratio) * (1 - ratio));
  return {sum / total, beyond / total};
}

}  // namespace

ServedRate serve(std::span<double const> ms, double tokens_per_second) {
  bool const sound = std::ranges::all_of(ms, [](double t) { return t > 0 && std::isfinite(t); });
  if (ms.empty() || !sound || !(tokens_per_second > 0 && std::isfinite(tokens_per_second)))
    throw UsageError("a rate of requests needs times above 0 and tokens above 0");
  double const asked = tokens_per_second / ms_per_second;
  ServedRate served{.most_tokens_per_second = 0};
  for (std::size_t b = 1; b <= ms.size(); ++b) {
    double const made = ms_per_second * static_cast<double>(b) / ms[b - 1];
    if (!(made > served.most_tokens_per_second)) continue;
    served.most_tokens_per_second = made;
    served.busiest = static_cast<std::int64_t>(b);
  }
  auto const reaches = [&](std::size_t b) { return static_cast<double>(b) >= asked * ms[b - 1]; };
  std::size_t first = 1;
  while (first <= ms.size() && !reaches(first)) ++first;
  if (first > ms.size()) return served;
  if (first == 1) {
    served.concurrency = asked * ms[0];
    served.ms_per_token = ms[0];
  } else {
    // b = asked·(t₀ + slope·(b − b₀)) between the two.
    auto const before = static_cast<double>(first - 1);
    double const slope = ms[first - 1] - ms[first - 2];
    served.concurrency = asked * (ms[first - 2] - slope * before) / (1 - asked * slope);
    served.ms_per_token = *served.concurrency / asked;
  }
  // Requests that come by chance pile up without end where the largest batch does not keep pace.
  if (static_cast<double>(ms.size()) > asked * ms.back()) {
    Chance const chance = by_chance(ms, asked);
    served.poisson_concurrency = chance.mean;
    served.poisson_ms_per_token = chance.mean / asked;
    served.poisson_waiting = chance.waiting;
  }
  return served;
}

}  // namespace draftgauge
