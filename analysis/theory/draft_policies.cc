#include "analysis/theory/draft_policies.h"

#include <algorithm>
#include <cmath>

#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/sequence/fillings.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"
#include "sim/base/error.h"
#include "sim/policies/heuristic.h"

namespace draftgauge {
namespace {

/// Tokens that a round emits where `drafts` were made and all kept.
std::size_t emitted_by_all(std::size_t drafts, bool bonus) { return drafts == 0 ? 1 : drafts + (bonus ? 1 : 0); }

/// The law of a round's kept drafts where any number may be made: exactly i with probability ends[i], all with the
/// rest.
struct KeptLaw {
  std::vector<double> reached = {1};  ///< [i] P(first i kept)

  explicit KeptLaw(std::span<double const> survival) {
    reached.insert(reached.end(), survival.begin(), survival.end());
  }
  std::size_t most() const { return reached.size() - 1; }
  double ends(std::size_t i) const { return i < most() ? reached[i] - reached[i + 1] : reached[i]; }
};

/// The fixed γ of greatest S.
PolicyGain best_fixed(KeptLaw const& law, std::vector<double> const& times, bool bonus) {
  std::vector<double> speedups = {1};
  double kept = 0;
  for (std::size_t gamma = 1; gamma <= law.most(); ++gamma) {
    double const before = kept;
    kept += law.reached[gamma];
    speedups.push_back((1 + (bonus ? kept : before)) / times[gamma]);
  }
  std::size_t const gamma = smallest_best(speedups);
  return {speedups[gamma], static_cast<double>(gamma)};
}

/// The lengths form a chain, up by 2 with P(first γ kept) and else down by 1, cut at the longest. In the long run as
/// much goes up over the line between k and k + 1, from k and k − 1, as comes down, from k + 1, which gives each
/// entry of its stationary law from those before, all terms positive.
PolicyGain heuristic(KeptLaw const& law, std::vector<double> const& times, bool bonus) {
  std::size_t const most = law.most();
  std::vector<double> weight(most + 1);
  weight[1] = 1;
  for (std::size_t k = 1; k < most; ++k) {
    double const up = weight[k] * law.reached[k] + (k > 1 ? weight[k - 1] * law.reached[k - 1] : 0);
    double const down = 1 - law.reached[k + 1];
    if (down > 0) {
      weight[k + 1] = up / down;
    } else {  // from there on nothing comes back
      std::ranges::fill(weight, 0);
      weight[k + 1] = 1;
    }
    if (weight[k + 1] > 1e100)
      for (double& w : weight) w *= 1e-100;
  }
  double total = 0, tokens = 0, time = 0, drafts = 0, kept = 0;
  for (std::size_t gamma = 1; gamma <= most; ++gamma) {
    double const before = kept;
    kept += law.reached[gamma];
    total += weight[gamma];
    tokens += weight[gamma] * (1 + (bonus ? kept : before));
    time += weight[gamma] * times[gamma];
    drafts += weight[gamma] * static_cast<double>(gamma);
  }
  return {tokens / time, drafts / total};
}

/// The best limit.
PolicyGain stop_at_rejection(KeptLaw const& law, std::vector<double> const& cheapest, bool bonus) {
  PolicyGain best{1, 0};
  double tokens = 0, time = 0, drafts = 0;  // of the rounds that reject one of the first `stop`
  for (std::size_t stop = 1; stop <= law.most(); ++stop) {
    double const rejected = law.reached[stop - 1] - law.reached[stop];
    tokens += rejected * static_cast<double>(stop);
    time += rejected * cheapest[stop];
    drafts += law.reached[stop - 1];
    double const all = law.reached[stop];
    double const speedup =
        (tokens + all * static_cast<double>(emitted_by_all(stop, bonus))) / (time + all * cheapest[stop]);
    if (speedup > best.speedup * (1 + speedup_tie)) best = {speedup, drafts};
  }
  return best;
}

/// By Dinkelbach's steps (Management Science 13, 1967): at a price λ of time each number of kept drafts has a best
/// number to make; what these get is the next λ, and the last is the greatest there is.
PolicyGain exact(KeptLaw const& law, std::vector<double> const& cheapest, bool bonus) {
  PolicyGain best{1, 0};
  for (;;) {
    double tokens = 0, time = 0, drafts = 0;
    std::size_t chosen = 0;
    double worth = 1 - best.speedup * cheapest[0];
    for (std::size_t kept = 0; kept <= law.most(); ++kept) {
      std::size_t const make = kept + (bonus ? 0 : 1);  // the most of use: without a bonus a rejected one, too
      if (make > 0 && make <= law.most()) {
        double const this_worth = static_cast<double>(emitted_by_all(make, bonus)) - best.speedup * cheapest[make];
        if (this_worth > worth) worth = this_worth, chosen = make;
      }
      tokens += law.ends(kept) * static_cast<double>(emitted_by_all(chosen, bonus));
      time += law.ends(kept) * cheapest[chosen];
      drafts += law.ends(kept) * static_cast<double>(chosen);
    }
    if (!(tokens / time > best.speedup * (1 + 1e-14))) return best;
    best = {tokens / time, drafts};
  }
}

/// A backward recursion along a text: `rest` has the expected time of what follows each token.
class Backward {
 public:
  Backward(std::span<double const> keep, TextPolicyOptions const& options)
      : keep_(keep),
        most_(static_cast<std::size_t>(options.most)),
        bonus_(options.bonus),
        times_(round_times(options.costs, options.most)),
        cheapest_(at_most_later(times_)),
        rest_(keep.size()) {}

  double run(auto const& of_round_at) {
    for (std::size_t t = keep_.size(); t-- > 0;) rest_[t] = of_round_at(*this, t);
    return rest_.front();
  }

  /// The time from a token on.
  double from(std::size_t t) const { return t < rest_.size() ? rest_[t] : 0; }
  std::size_t drafts_at(std::size_t t) const { return std::min(most_, keep_.size() - t); }

  double per_round_oracle(std::size_t t) const {
    double best = 1 + from(t + 1), rejected = 0, reached = 1;
    for (std::size_t g = 1; g <= drafts_at(t); ++g) {
      add_draft(t, g, rejected, reached);
      best = std::min(best, time(t, g) + rejected + reached * from(t + emitted_by_all(g, bonus_)));
    }
    return best;
  }

  double renewal_reward(std::size_t t, std::span<double const> context, double lambda) const {
    double worth = 1 - lambda * times_[0], kept = 0, chance = 1;
    std::size_t drafts = 0;
    for (std::size_t g = 1; g <= drafts_at(t); ++g) {
      double const before = kept;
      kept += chance *= context[t + g - 1];
      double const this_worth = 1 + (bonus_ ? kept : before) - lambda * times_[g];
      if (this_worth > worth + speedup_tie) worth = this_worth, drafts = g;
    }
    double rejected = 0, reached = 1;
    for (std::size_t g = 1; g <= drafts; ++g) add_draft(t, g, rejected, reached);
    return times_[drafts] + rejected + reached * from(t + emitted_by_all(drafts, bonus_));
  }

  double stop_at_rejection(std::size_t t) const {
    double rejected = 0, reached = 1;
    std::size_t const drafts = drafts_at(t);
    for (std::size_t g = 1; g <= drafts; ++g) {
      rejected += reached * (1 - keep_[t + g - 1]) * (cheapest_[g] + from(t + g));
      reached *= keep_[t + g - 1];
    }
    return rejected + reached * (cheapest_[drafts] + from(t + emitted_by_all(drafts, bonus_)));
  }

  double exact(std::size_t t) const {
    double best = cheapest_[0] + from(t + 1), expected = 0, reached = 1;
    std::size_t const drafts = drafts_at(t);
    for (std::size_t kept = 0; kept <= drafts; ++kept) {
      std::size_t const make = kept + (bonus_ ? 0 : 1);
      if (make > 0 && make <= drafts) best = std::min(best, cheapest_[make] + from(t + emitted_by_all(make, bonus_)));
      double const next = kept < drafts ? reached * keep_[t + kept] : 0;
      expected += (reached - next) * best;
      reached = next;
    }
    return expected;
  }

 private:
  /// Draft g is made: `rejected` gathers what follows the rounds that reject one, `reached` is left for the others.
  void add_draft(std::size_t t, std::size_t g, double& rejected, double& reached) const {
    rejected += reached * (1 - keep_[t + g - 1]) * from(t + g);
    reached *= keep_[t + g - 1];
  }
  /// A draft up to the text's end may as well go beyond it.
  double time(std::size_t t, std::size_t g) const { return g == keep_.size() - t ? cheapest_[g] : times_[g]; }

  std::span<double const> keep_;
  std::size_t most_;
  bool bonus_;
  std::vector<double> times_, cheapest_, rest_;
};

/// Forward, as lengths depend on what came before.
double heuristic_time(std::span<double const> keep, TextPolicyOptions const& options) {
  std::vector<double> const times = round_times(options.costs, options.most);
  HeuristicLength const policy{policies::Heuristic::parameters[0].standard.num, options.most};
  auto const price = [&](std::int64_t gamma) { return times[static_cast<std::size_t>(gamma)]; };
  PlayedPaths<double, HeuristicLength, decltype(price)> paths(policy, price, options.bonus);
  paths.play(keep.size(), [&](std::size_t t) { return keep[t]; });
  return paths.mean().cost;
}

}  // namespace

PolicyWords words_of(DraftPolicy policy) {
  switch (policy) {
    case DraftPolicy::heuristic: return {"heuristic", "Hugging Face: 2 more after all kept, else 1 less"};
    case DraftPolicy::renewal_reward:
      return {"renewal_reward", "by β of the contexts ahead, as if drafts were kept with it: no ceiling"};
    case DraftPolicy::per_round_oracle:
      return {"per_round_oracle", "per-round oracle: the best γ for each round, acceptance known ahead"};
    case DraftPolicy::stop_at_rejection:
      return {"stop_at_rejection", "oracle: stops drafting at the first rejected draft"};
    case DraftPolicy::exact: break;
  }
  return {"exact", "oracle: drafts exactly what will be kept"};
}

std::vector<double> round_times(Costs const& costs, int most) {
  std::vector<double> times;
  for (int gamma = 0; gamma <= most; ++gamma) times.push_back(time_of_round(costs, gamma));
  return times;
}

std::vector<double> at_most_later(std::vector<double> times) {
  for (std::size_t g = times.size() - 1; g-- > 0;) times[g] = std::min(times[g], times[g + 1]);
  return times;
}

std::vector<double> geometric_survival(double alpha, int most, double least) {
  std::vector<double> survival;
  for (int i = 1; i <= most && (i == 1 || survival.back() * alpha >= least); ++i)
    survival.push_back(std::pow(alpha, i));
  return survival;
}

PolicyGain long_run(DraftPolicy policy, std::span<double const> survival, Costs const& costs, bool bonus) {
  if (survival.empty()) throw UsageError("`survival` is empty (nothing can be drafted)", "give P(first i kept)");
  theory::expected_tokens(survival, bonus);  // refuses what is no survival
  KeptLaw const law(survival);
  std::vector<double> const times = round_times(costs, static_cast<int>(survival.size()));
  switch (policy) {
    case DraftPolicy::heuristic: return heuristic(law, times, bonus);
    case DraftPolicy::renewal_reward:
    case DraftPolicy::per_round_oracle: return best_fixed(law, times, bonus);
    case DraftPolicy::stop_at_rejection: return stop_at_rejection(law, at_most_later(times), bonus);
    case DraftPolicy::exact: break;
  }
  return exact(law, at_most_later(times), bonus);
}

double text_time(DraftPolicy policy, std::span<double const> keep, TextPolicyOptions const& options,
                 std::span<double const> context, double lambda) {
  if (keep.empty()) return 0;
  if (options.most < 1) throw UsageError("`most` is below 1 (no token could be drafted)", "give 1 or more");
  if (policy == DraftPolicy::heuristic) return heuristic_time(keep, options);
  return Backward(keep, options).run([&](Backward const& text, std::size_t t) {
    switch (policy) {
      case DraftPolicy::renewal_reward: return text.renewal_reward(t, context, lambda);
      case DraftPolicy::per_round_oracle: return text.per_round_oracle(t);
      case DraftPolicy::stop_at_rejection: return text.stop_at_rejection(t);
      default: return text.exact(t);
    }
  });
}

}  // namespace draftgauge
