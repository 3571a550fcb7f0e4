#include "analysis/choose/counted_gamma.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <span>

#include "analysis/choose/text_gamma.h"
#include "analysis/stats/interval.h"
#include "analysis/texts/text_lead.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

/// As deep as is asked.
std::vector<double> as_asked(std::vector<double> survival, CountedAsked const& asked) {
  survival.resize(asked.depth(survival.size()));
  return survival;
}

/// Of γ = 1 to the longest that ran, and to `depth`.
template <class Number>
std::vector<TokensBracket> brackets_of(CountBrackets<Number> const& counts, std::size_t longest, std::size_t depth) {
  std::vector<TokensBracket> found;
  for (std::size_t gamma = 1; gamma <= longest && gamma <= depth; ++gamma)
    found.push_back(TokensBracket::of(counts.at(static_cast<std::int64_t>(gamma)), gamma));
  return found;
}

/// Rounds by how many tokens they drafted.
class RoundsByLength {
 public:
  explicit RoundsByLength(RequestCounts const& rows) {
    for (auto const& row : rows) {
      std::int64_t const all = std::accumulate(row.begin(), row.end(), std::int64_t{0});
      if (all == 0) continue;
      counts_.add_histogram(row);
      rounds_[row.size() - 1] += static_cast<double>(all);
    }
  }
  std::size_t longest() const { return rounds_.rbegin()->first; }
  std::vector<TokensBracket> brackets(std::size_t depth) const { return brackets_of(counts_, longest(), depth); }
  /// Were this their survival, as deep as the longest.
  std::vector<TokensBracket> brackets_by(std::vector<double> const& survival) const {
    CountBrackets<double> expected;
    for (auto const& [drafted, rounds] : rounds_) {
      std::vector<double> at_least{rounds};
      for (std::size_t i = 0; i < drafted; ++i) at_least.push_back(rounds * survival[i]);
      expected.add(std::move(at_least));
    }
    return brackets_of(expected, longest(), survival.size());
  }

 private:
  std::map<std::size_t, double> rounds_;
  CountBrackets<std::int64_t> counts_;
};

/// One survival curve and what follows from it for each γ.
struct SurvivalCurve {
  std::vector<double> survival, speedups;
  std::vector<GammaRow> rows;
  std::vector<TokensBracket> brackets;

  /// bounds: [γ − 1] of E[N].
  SurvivalCurve(std::vector<double> as_said, Costs const& costs, CountedAsked const& asked,
                std::vector<TokensBracket> bounds = {}, std::size_t ran = 0)
      : survival(as_asked(std::move(as_said), asked)), brackets(std::move(bounds)) {
    rows = rows_of(held(theory::tokens_by_gamma(survival, asked.bonus), brackets, ran), costs);
    speedups = speedups_of(rows);
  }
  /// One end of what E[N] may be.
  double tokens_at(std::size_t gamma, double TokensBracket::*end) const {
    return gamma == 0 || gamma > brackets.size() ? rows[gamma].tokens : brackets[gamma - 1].*end;
  }
};

/// The c up to which γ ≥ 1 pays.
double pays(double tokens, std::size_t gamma, Costs const& costs) {
  return break_even_cost(tokens - 1, costs, static_cast<std::int64_t>(gamma));
}
double pays(SurvivalCurve const& curve, std::size_t gamma, Costs const& costs) {
  return pays(curve.rows[gamma].tokens, gamma, costs);
}

CountedGamma chosen(SurvivalCurve const& curve, Costs const& costs, CountedAsked const& asked) {
  CountedGamma choice{.survival = curve.survival,
                      .rows = curve.rows,
                      .best = smallest_best(curve.speedups),
                      .brackets = curve.brackets};
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
        rows[g].interval = of_tokens(choice, g, [time = rows[g].time](double tokens) { return tokens / time; });
      rows[g].p_best = static_cast<double>(won[g]) / static_cast<double>(curves_.size());
      if (g != best)
        rows[g].lead = around(rows[best].speedup - rows[g].speedup,
                              [=](SurvivalCurve const& draw) { return draw.speedups[best] - draw.speedups[g]; });
    }
    for (SurvivalCurve const& draw : curves_) choice.draws.push_back(draw.speedups);
  }

  /// Of a figure that grows with E[N] at a γ: from the interval where counts allow least to that where they allow most.
  Interval of_tokens(CountedGamma const& choice, std::size_t g, auto const& figure) const {
    double const tokens = choice.rows[g].tokens;
    auto const at = [&](double TokensBracket::*end) {
      return around(figure(choice.bounds(g) ? choice.brackets[g - 1].*end : tokens),
                    [&](SurvivalCurve const& draw) { return figure(draw.tokens_at(g, end)); });
    };
    Interval whole = at(&TokensBracket::low);
    if (choice.bounds(g)) whole.high = at(&TokensBracket::high).high;
    whole.value = figure(tokens);
    return whole;
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
      yield.tokens_within = of_tokens(choice, gamma, [](double tokens) { return tokens; });
      yield.pays_within = of_tokens(choice, gamma, [&](double tokens) { return pays(tokens, gamma, costs); });
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

std::vector<double> held(std::vector<double> tokens, std::span<TokensBracket const> brackets, std::size_t ran) {
  std::map<std::size_t, double> off{{0, 1}, {ran, 1}};  // where the truth is known, and its share of the curve there
  for (std::size_t gamma = 1; gamma <= brackets.size(); ++gamma)
    if (brackets[gamma - 1].exact()) off[gamma] = brackets[gamma - 1].low / tokens[gamma];
  for (std::size_t gamma = 1; gamma <= brackets.size(); ++gamma) {
    auto const above = off.lower_bound(gamma), below = above->first == gamma ? above : std::prev(above);
    double const way = above == below ? 0
                                      : static_cast<double>(gamma - below->first) /
                                            static_cast<double>(above->first - below->first);
    auto const [low, high] = brackets[gamma - 1];
    tokens[gamma] = std::clamp(tokens[gamma] * std::lerp(below->second, above->second, way), low, high);
  }
  return tokens;
}

void CountedGamma::mark_members() {
  for (std::size_t g = 0; g < rows.size(); ++g) rows[g].may_be_best = std::ranges::binary_search(set->members, g);
}

void CountedGamma::claim_only(std::size_t gamma) {
  ran = gamma;
  has_errors = set.has_value();
  by_chance = rows[best].interval;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    rows[g].truncated = g > 0 && g <= gamma && !claims(g);
    if (!claims(g) && !bounds(g)) rows[g].interval.reset();
    if (!claims(g) || !claims(best)) rows[g].lead.reset();
  }
  for (GammaYield& yield : yields)
    if (auto const g = static_cast<std::size_t>(yield.gamma); !claims(g) && !bounds(g)) yield.tokens_within = yield.pays_within = std::nullopt;
  if (runner_up && !(claims(best) && claims(static_cast<std::size_t>(runner_up->gamma)))) runner_up.reset();
  if (claims_all()) return;
  for (PolicyRow& policy : policies) policy.interval = policy.over_best = std::nullopt;
  for (GammaRow& row : rows) row.p_best.reset();
  if (bounds_all() && (best == 0 || by_chance))
    widen_set([this](std::size_t gamma) { return may_reach_best(gamma, brackets); });
  else
    claim_no_set();
}

bool CountedGamma::may_reach_best(std::size_t gamma, std::span<TokensBracket const> of) const {
  auto const speedup_of = [&](std::size_t g, double TokensBracket::*end) {
    return g == 0 || g > of.size() ? rows[g].speedup : of[g - 1].*end / rows[g].time;
  };
  return speedup_of(gamma, &TokensBracket::high) >= speedup_of(best, &TokensBracket::low);
}

void CountedGamma::widen_set(std::function<bool(std::size_t gamma)> const& may_be_best) {
  if (!set) return;
  std::vector<std::size_t> members;
  for (std::size_t gamma = 0; gamma < rows.size(); ++gamma)
    if (std::ranges::binary_search(set->members, gamma) || may_be_best(gamma)) members.push_back(gamma);
  if (members.size() > set->members.size()) set->regret.reset();
  set->members = std::move(members);
  mark_members();
  if (runner_up && may_be_best(static_cast<std::size_t>(runner_up->gamma))) runner_up.reset();
}

void CountedGamma::claim_no_set() {
  for (GammaRow& row : rows) row.p_best.reset(), row.may_be_best.reset();
  set.reset();
}

RoundsGamma choose_by_rounds(RequestCounts const& rows, Costs const& costs, CountedAsked const& asked) {
  RoundsGamma found{.choice = {}, .counted = kaplan_meier(rows)};
  KaplanMeier const& counted = found.counted;
  std::size_t const known = counted.survival.size(), depth = asked.depth(known);
  RoundsByLength const lengths(rows);
  std::size_t const ran = std::ranges::max(rows, {}, &std::vector<std::int64_t>::size).size() - 1;
  CountedGamma& choice = found.choice =
      chosen(SurvivalCurve(counted.survival, costs, asked,
                           asked.bounded() ? lengths.brackets(depth) : std::vector<TokensBracket>(),
                           lengths.longest()),
             costs, asked);
  KaplanMeier looked_at = counted;
  for (auto* each : {&looked_at.reached, &looked_at.rejected}) each->resize(depth);
  require_draws(asked.draws, depth);
  // A draw that ends before the longest round says nothing of what is behind it, and so of no shorter draft.
  bool const whole = depth >= lengths.longest();
  std::vector<SurvivalCurve> curves;
  for (std::vector<double>& draw : survival_draws(looked_at, asked.draws, asked.seed)) {
    auto bounds = asked.bounded() && whole ? lengths.brackets_by(draw) : std::vector<TokensBracket>();
    curves.emplace_back(std::move(draw), costs, asked, std::move(bounds), lengths.longest());
  }
  if (!whole) choice.brackets.clear();
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
