#include "analysis/choose/text_gamma.h"

#include <cmath>

#include "analysis/stats/false_alarm.h"
#include "analysis/stats/tails.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

std::optional<std::size_t> runner_up(std::span<double const> speedups, std::size_t best) {
  std::optional<std::size_t> second;
  for (std::size_t g = 0; g < speedups.size(); ++g)
    if (g != best && (!second || speedups[g] > speedups[*second])) second = g;
  return second;
}

namespace {

/// How likely `times` as much new data tell a lead from 0 whose estimate is `lead` of its standard errors now. They do
/// from `critical` of their own standard errors on, and the true lead lies around the estimate as this does around it.
double odds_of_apart(double lead, double critical, double times) {
  double const spread = std::sqrt(1 + 1 / times), limit = critical / std::sqrt(times);
  return normal_tail((limit - lead) / spread) + normal_tail((limit + lead) / spread);
}

}  // namespace

GammaRunnerUp runner_up_of(int gamma, Interval const& lead, double error, double have) {
  GammaRunnerUp runner_up{gamma, lead, lead.low > 0 || lead.high < 0, {}};
  if (runner_up.apart || lead.value == 0 || !(error > 0)) return runner_up;
  double const errors = std::abs(lead.value) / error, critical = (lead.high - lead.low) / 2 / error;
  double few = 1, enough = 1;
  while (odds_of_apart(errors, critical, enough) < stated_power) enough *= 2;
  while (enough - few > 1e-6 * enough) {
    double const middle = (few + enough) / 2;
    (odds_of_apart(errors, critical, middle) < stated_power ? few : enough) = middle;
  }
  runner_up.need = have * enough;
  return runner_up;
}

std::vector<TextPolicyGain> text_policies(TextEstimates const& estimates, std::span<std::vector<double> const> keep,
                                          std::span<std::vector<double> const> context,
                                          TextPolicyOptions const& options, TextEstimate const& best) {
  auto const& sample = estimates.sample();
  TextEstimate const tokens = mean_over_texts(sample->lengths(), sample);
  auto const speedup = [&](DraftPolicy policy, double lambda, TextPolicyOptions const& how) {
    std::vector<double> times;
    for (std::size_t i = 0; i < keep.size(); ++i)
      times.push_back(
          text_time(policy, keep[i], how, context.empty() ? std::span<double const>() : context[i], lambda));
    return tokens / mean_over_texts(times, sample);
  };
  auto const at_best_limit = [&](DraftPolicy policy) {
    TextEstimate got = certain(1, sample);  // a limit of 0 is plain decoding
    for (TextPolicyOptions how = {options.costs, 1, options.bonus}; how.most <= options.most; ++how.most)
      if (TextEstimate at = speedup(policy, 1, how); at.value > got.value * (1 + speedup_tie)) got = std::move(at);
    return got;
  };
  std::vector<TextPolicyGain> gains;
  for (DraftPolicy const policy : draft_policies) {
    if (policy == DraftPolicy::heuristic) continue;  // looks at outcomes alone: analysis/adapting
    bool const renewal = policy == DraftPolicy::renewal_reward;
    if (renewal && context.empty()) continue;
    TextEstimate got = policy == DraftPolicy::stop_at_rejection ? at_best_limit(policy)
                                                                : speedup(policy, best.value, options);
    constexpr int most_steps = 20;  // λ settles in a few; what is kept is the best that was met
    for (int step = 0; renewal && step < most_steps; ++step) {
      TextEstimate next = speedup(policy, got.value, options);
      if (!(next.value > got.value * (1 + 1e-9))) break;
      got = std::move(next);
    }
    TextEstimate over = got - best;
    gains.push_back({policy, std::move(got), std::move(over)});
  }
  return gains;
}

}  // namespace draftgauge
