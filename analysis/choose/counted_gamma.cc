#include "analysis/choose/counted_gamma.h"

#include <algorithm>
#include <span>

#include "analysis/choose/text_gamma.h"
#include "analysis/choose/text_lead.h"
#include "analysis/stats/interval.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

/// To the batch's and as deep as is asked.
std::vector<double> as_asked(std::vector<double> survival, CountedAsked const& asked) {
  survival.resize(asked.depth(survival.size()));
  if (asked.in_lockstep > 1)
    for (double& reached : survival) reached = lockstep_alpha(reached, asked.in_lockstep);
  return survival;
}

/// One survival curve and what follows from it for each γ.
struct SurvivalCurve {
  std::vector<double> survival, speedups;
  std::vector<GammaRow> rows;

  SurvivalCurve(std::vector<double> as_said, Costs const& costs, CountedAsked const& asked)
      : survival(as_asked(std::move(as_said), asked)) {
    rows = rows_of(theory::tokens_by_gamma(survival, asked.bonus), costs);
    speedups = speedups_of(rows);
  }
};

/// The c up to which γ ≥ 1 pays.
double pays(SurvivalCurve const& curve, std::size_t gamma, Costs const& costs) {
  return break_even_cost(curve.rows[gamma].tokens - 1, costs, static_cast<std::int64_t>(gamma));
}

CountedGamma chosen(SurvivalCurve const& curve, Costs const& costs, CountedAsked const& asked) {
  CountedGamma choice{.survival = curve.survival, .rows = curve.rows, .best = smallest_best(curve.speedups)};
  for (std::size_t gamma = 1; gamma < curve.rows.size(); ++gamma)
    choice.yields.push_back({static_cast<std::int64_t>(gamma), curve.rows[gamma].tokens, pays(curve, gamma, costs)});
  if (asked.thorough) choice.policies = long_run_policies(curve.survival, costs, asked.bonus);
  return choice;
}

/// Curves that might as well be the true one, around a choice.
class CurveDraws {
 public:
  CurveDraws(std::vector<SurvivalCurve> curves, double confidence)
      : curves_(std::move(curves)), confidence_(confidence) {}

  std::vector<double> of(auto const& figure) const {
    std::vector<double> values;
    for (SurvivalCurve const& curve : curves_) values.push_back(figure(curve));
    return values;
  }
  Interval around(double value, auto const& figure) const { return central_interval(of(figure), value, confidence_); }

  /// Intervals, and how often each γ wins.
  void add_to_rows(CountedGamma& choice) const {
    auto& rows = choice.rows;
    std::size_t const best = choice.best;
    std::vector<std::size_t> won(rows.size());
    for (SurvivalCurve const& draw : curves_) ++won[smallest_best(draw.speedups)];
    for (std::size_t g = 0; g < rows.size(); ++g) {
      if (g > 0)
        rows[g].interval = around(rows[g].speedup, [g](SurvivalCurve const& draw) { return draw.speedups[g]; });
      rows[g].p_best = static_cast<double>(won[g]) / static_cast<double>(curves_.size());
      if (g != best)
        rows[g].lead = around(rows[best].speedup - rows[g].speedup,
                              [=](SurvivalCurve const& draw) { return draw.speedups[best] - draw.speedups[g]; });
    }
    for (SurvivalCurve const& draw : curves_) choice.draws.push_back(draw.speedups);
  }

  void add_set(CountedGamma& choice) const {
    std::vector<double> const speedups = choice.speedups();
    auto const errors = [&](std::size_t b, std::span<double> into) {
      for (std::size_t g = 0; g < into.size(); ++g) into[g] = curves_[b].speedups[g] - speedups[g];
    };
    choice.set = gamma_set({speedups, curves_.size(), errors}, confidence_);
  }

  void add_to_yields(CountedGamma& choice, Costs const& costs) const {
    for (GammaYield& yield : choice.yields) {
      auto const gamma = static_cast<std::size_t>(yield.gamma);
      yield.tokens_within = around(yield.tokens, [=](SurvivalCurve const& draw) { return draw.rows[gamma].tokens; });
      yield.pays_within = around(yield.pays, [&](SurvivalCurve const& draw) { return pays(draw, gamma, costs); });
    }
  }

  /// Each policy in each draw, beside the best γ of the counts themselves.
  void add_to_policies(CountedGamma& choice, Costs const& costs, bool bonus) const {
    auto& policies = choice.policies;
    std::vector<std::vector<double>> speedups(policies.size()), over(policies.size());
    for (SurvivalCurve const& draw : curves_) {
      auto const there = long_run_policies(draw.survival, costs, bonus);
      for (std::size_t i = 0; i < policies.size(); ++i) {
        speedups[i].push_back(there[i].speedup);
        over[i].push_back(there[i].speedup - draw.speedups[choice.best]);
      }
    }
    for (std::size_t i = 0; i < policies.size(); ++i) {
      double const speedup = policies[i].speedup;
      policies[i].interval = central_interval(std::move(speedups[i]), speedup, confidence_);
      policies[i].over_best =
          central_interval(std::move(over[i]), speedup - choice.rows[choice.best].speedup, confidence_);
    }
  }

  /// The standard deviation of S of the best less S of another.
  double lead_error(std::size_t best, std::size_t other) const {
    return spread_of(of([=](SurvivalCurve const& draw) { return draw.speedups[best] - draw.speedups[other]; }));
  }

 private:
  std::vector<SurvivalCurve> curves_;
  double confidence_;
};

}  // namespace

void CountedGamma::mark_members() {
  for (std::size_t g = 0; g < rows.size(); ++g) rows[g].may_be_best = std::ranges::binary_search(set->members, g);
}

void CountedGamma::claim_only(std::size_t gamma) {
  ran = gamma;
  has_errors = set.has_value();
  by_chance = rows[best].interval;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    rows[g].truncated = g < gamma && g > 0;
    if (!claims(g)) rows[g].interval.reset();
    if (!claims(g) || !claims(best)) rows[g].lead.reset();
  }
  for (GammaYield& yield : yields)
    if (!claims(static_cast<std::size_t>(yield.gamma))) yield.tokens_within = yield.pays_within = std::nullopt;
  if (runner_up && !(claims(best) && claims(static_cast<std::size_t>(runner_up->gamma)))) runner_up.reset();
  if (claims_all()) return;
  for (PolicyRow& policy : policies) policy.interval = policy.over_best = std::nullopt;
  claim_no_set();
}

void CountedGamma::claim_no_set() {
  for (GammaRow& row : rows) row.p_best.reset(), row.may_be_best.reset();
  set.reset();
}

RoundsGamma choose_by_rounds(RequestCounts const& rows, Costs const& costs, CountedAsked const& asked) {
  RoundsGamma found{.choice = {}, .counted = kaplan_meier(rows)};
  KaplanMeier const& counted = found.counted;
  CountedGamma& choice = found.choice = chosen(SurvivalCurve(counted.survival, costs, asked), costs, asked);
  KaplanMeier looked_at = counted;
  for (auto* each : {&looked_at.reached, &looked_at.rejected}) each->resize(asked.depth(counted.survival.size()));
  require_draws(asked.draws, looked_at.reached.size());
  std::vector<SurvivalCurve> curves;
  for (std::vector<double>& draw : survival_draws(looked_at, asked.draws, asked.seed))
    curves.emplace_back(std::move(draw), costs, asked);
  std::size_t const ran = std::ranges::max(rows, {}, &std::vector<std::int64_t>::size).size() - 1;
  if (curves.empty()) {
    choice.claim_only(ran);
    return found;
  }
  CurveDraws const draws(std::move(curves), asked.confidence);
  draws.add_to_rows(choice);
  draws.add_set(choice);
  choice.mark_members();
  draws.add_to_yields(choice, costs);
  if (asked.thorough) draws.add_to_policies(choice, costs, asked.bonus);

  std::size_t const second = *runner_up(choice.speedups(), choice.best), deeper = std::max(choice.best, second);
  if (std::uint64_t const reached = counted.reached[deeper - 1]; reached < fewest_compared)
    found.uncompared = {second, deeper, reached};
  else
    choice.runner_up = runner_up_of(static_cast<int>(second), *choice.rows[second].lead,
                                    draws.lead_error(choice.best, second), static_cast<double>(counted.rounds));
  choice.claim_only(ran);
  if (!enough_rounds(counted.rounds)) choice.claim_no_set();
  return found;
}

CountedGamma choose_by_survival(std::vector<double> survival, Costs const& costs, CountedAsked const& asked) {
  return chosen(SurvivalCurve(std::move(survival), costs, asked), costs, asked);
}

CountedGamma choose_by_alpha(double alpha, std::optional<Interval> const& within, int most, Costs const& costs,
                             CountedAsked const& asked) {
  auto const curve_at = [&](double at) { return SurvivalCurve(geometric_survival(at, most, 0), costs, asked); };
  CountedGamma choice = chosen(curve_at(alpha), costs, asked);
  if (!within) return choice;
  SurvivalCurve const low = curve_at(within->low), high = curve_at(within->high);
  auto const between = [&](double value, auto const& figure) {
    return Interval{value, std::min(value, figure(low)), std::max(value, figure(high)), within->confidence, true};
  };
  for (std::size_t g = 1; g < choice.rows.size(); ++g) {
    choice.rows[g].interval =
        between(choice.rows[g].speedup, [g](SurvivalCurve const& end) { return end.speedups[g]; });
    GammaYield& yield = choice.yields[g - 1];
    yield.tokens_within = between(yield.tokens, [g](SurvivalCurve const& end) { return end.rows[g].tokens; });
    yield.pays_within = between(yield.pays, [&](SurvivalCurve const& end) { return pays(end, g, costs); });
  }
  choice.set = GammaSet{.members = {}, .regret = {}, .confidence = within->confidence};
  for (std::size_t g = smallest_best(low.speedups); g <= smallest_best(high.speedups); ++g)
    choice.set->members.push_back(g);
  choice.mark_members();
  return choice;
}

}  // namespace draftgauge
