#include "analysis/load/request_rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/load/batch_grid.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

struct Chance {
  double mean;     ///< E[B], of those that have begun or wait for a place
  double beyond;   ///< P(B > the largest batch)
  double step_ms;  ///< E of the step in progress, 0 while there is none
};

/// The exponent of the j-th factor (serve): 1 where steps do not get longer with the batch.
double power(RequestTime const& at, RequestTime const& before, double per_ms) {
  double const grows = std::clamp(per_ms * at.rounds * (at.round_ms - before.round_ms), 0., 1.);
  return 1 + grows / (2 * (2 * at.rounds - 1));
}

/// By the probabilities of B, whose factors are constant from the last measured on.
Chance by_chance(std::span<RequestTime const> by_batch, double per_ms) {
  std::vector<double> logs{0};  // of what the probability of b is proportional to
  double ratio = 0;
  for (std::size_t b = 1; b <= by_batch.size(); ++b) {
    RequestTime const& at = by_batch[b - 1];
    RequestTime const& before = by_batch[b == 1 ? 0 : b - 2];
    ratio = per_ms * at.ms() / static_cast<double>(b);
    double const longer = std::log(at.round_ms / before.round_ms);  // time-weighted, what holds of steps
    logs.push_back(logs.back() + power(at, before, per_ms) * (std::log(ratio) - longer) + longer);
  }
  double const greatest = std::ranges::max(logs);
  double total = 0, sum = 0, step_ms = 0;
  for (std::size_t b = 0; b < logs.size(); ++b) {
    double const weight = std::exp(logs[b] - greatest);
    total += weight;
    sum += weight * static_cast<double>(b);
    if (b > 0) step_ms += weight * by_batch[b - 1].round_ms;
  }
  // Beyond the last: Σ_{k ≥ 1} ρ^k and Σ k·ρ^k.
  double const last = std::exp(logs.back() - greatest), beyond = last * ratio / (1 - ratio);
  total += beyond;
  sum += beyond * static_cast<double>(by_batch.size()) + last * ratio / ((1 - ratio) * (1 - ratio));
  step_ms += beyond * by_batch.back().round_ms;
  return {sum / total, beyond / total, step_ms / total};
}

/// The number of sequences at which a server first keeps pace, linear between b and b + 1.
struct Steady {
  double sequences, round_ms;
};
std::optional<Steady> steady(std::span<RequestTime const> by_batch, double per_ms) {
  auto const lacks = [&](std::size_t b) { return per_ms * by_batch[b - 1].ms() - static_cast<double>(b); };
  std::size_t first = 1;
  while (first <= by_batch.size() && lacks(first) > 0) ++first;
  if (first > by_batch.size()) return std::nullopt;
  if (first == 1) return Steady{per_ms * by_batch[0].ms(), by_batch[0].round_ms};
  double const share = lacks(first - 1) / (lacks(first - 1) - lacks(first));
  return Steady{static_cast<double>(first - 1) + share,
                std::lerp(by_batch[first - 2].round_ms, by_batch[first - 1].round_ms, share)};
}

}  // namespace

ServedRate serve(std::span<RequestTime const> by_batch, double requests_per_second, double tokens) {
  auto const positive = [](double x) { return x > 0 && std::isfinite(x); };
  bool const sound = std::ranges::all_of(
      by_batch, [&](RequestTime const& at) { return positive(at.round_ms) && positive(at.ms()) && at.rounds >= 1; });
  if (by_batch.empty() || !sound || !positive(requests_per_second) || !positive(tokens))
    throw UsageError("a rate of requests needs times above 0 and tokens above 0");
  double const per_ms = requests_per_second / ms_per_second;
  ServedRate served{.most_requests_per_second = 0};
  for (std::size_t b = 1; b <= by_batch.size(); ++b) {
    double const done = ms_per_second * static_cast<double>(b) / by_batch[b - 1].ms();
    if (!(done > served.most_requests_per_second)) continue;
    served.most_requests_per_second = done;
    served.busiest = static_cast<std::int64_t>(b);
  }
  std::optional<Steady> const even = steady(by_batch, per_ms);
  if (!even) return served;
  served.concurrency = even->sequences;
  // An idle server begins at once: it is busy for that share of the time.
  double const waits = std::min(1., even->sequences) * even->round_ms / 2;
  served.ms_per_token = (even->sequences / per_ms + waits) / tokens;
  // Requests that come by chance pile up without end where the largest batch does not keep pace.
  if (static_cast<double>(by_batch.size()) > per_ms * by_batch.back().ms()) {
    Chance const chance = by_chance(by_batch, per_ms);
    double const ms = chance.mean / per_ms + chance.step_ms / 2;
    served.poisson_concurrency = per_ms * ms;
    served.poisson_ms_per_token = ms / tokens;
    served.poisson_waiting = chance.beyond;
  }
  return served;
}

}  // namespace draftgauge
