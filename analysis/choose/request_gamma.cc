#include <algorithm>
#include <cmath>
#include <memory>

#include "analysis/choose/counted_gamma.h"
#include "analysis/choose/text_gamma.h"
#include "analysis/texts/text_errors.h"
#include "analysis/texts/text_limits.h"
#include "analysis/texts/text_speedup.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

std::vector<double> values_of(std::vector<TextEstimate> const& estimates) {
  std::vector<double> values;
  for (TextEstimate const& each : estimates) values.push_back(each.value);
  return values;
}

/// What counts allow of E[N] at γ = 1, 2, …, shorter than all that is asked of or ran, with errors over requests.
class RequestBrackets {
 public:
  struct At {
    TextEstimate low, high;
    bool exact;
  };
  /// sample: of the requests that have a round.
  RequestBrackets(LengthCounts const& requests, std::shared_ptr<TextSample const> sample)
      : sample_(std::move(sample)) {
    for (RequestCounts const& request : requests) {
      CountBrackets<std::int64_t> counts;
      bool any = false;
      for (auto const& row : request) {
        if (std::ranges::all_of(row, [](auto count) { return count == 0; })) continue;
        counts.add_histogram(row);
        longest_ = std::max(longest_, row.size() - 1);
        any = true;
      }
      if (any) counts_.push_back(std::move(counts));
    }
  }
  std::size_t longest() const { return longest_; }
  At at(std::size_t gamma) const {
    std::vector<double> tokens, fewest, most;
    for (auto const& counts : counts_) {
      auto const found = counts.at(static_cast<std::int64_t>(gamma));
      tokens.push_back(static_cast<double>(found.tokens));
      fewest.push_back(static_cast<double>(found.fewest_rounds));
      most.push_back(static_cast<double>(found.most_rounds));
    }
    TextEstimate const all = mean_over_texts(tokens, sample_);
    return {all / mean_over_texts(most, sample_), all / mean_over_texts(fewest, sample_), fewest == most};
  }

 private:
  std::shared_ptr<TextSample const> sample_;
  std::vector<CountBrackets<std::int64_t>> counts_;
  std::size_t longest_ = 0;
};

/// Survival with its errors over requests, and what follows from it for each γ.
struct Estimates {
  std::vector<TextEstimate> survival, tokens, speedups;  ///< tokens and speedups by γ, from plain decoding on
  std::vector<TextSpeedup> priced;                       ///< [γ − 1]
  std::vector<RequestBrackets::At> ends;                 ///< [γ − 1] of what E[N] is held to
  std::vector<TokensBracket> brackets;                   ///< their values

  Estimates(RequestSurvival const& of, LengthCounts const& requests, Costs const& costs, CountedAsked const& asked)
      : survival(of.survival) {
    survival.erase(survival.begin() + static_cast<std::ptrdiff_t>(asked.depth(survival.size())), survival.end());
    auto by_gamma = tokens_over_requests(survival, asked.bonus);
    if (asked.bounded()) hold(by_gamma, RequestBrackets(requests, survival.front().sample));
    price(std::move(by_gamma), costs, asked.bonus);
  }
  /// Of E[N] by γ, whatever it comes of.
  Estimates(std::vector<TextEstimate> by_gamma, Costs const& costs, bool bonus) {
    price(std::move(by_gamma), costs, bonus);
  }

  /// Of a figure that grows with E[N], by its interval: from where counts allow least to where they allow most.
  std::optional<Interval> interval(std::size_t gamma, auto const& of_tokens) const {
    auto found = of_tokens(tokens[gamma]);
    if (gamma > ends.size() || ends[gamma - 1].exact) return found;
    auto const low = of_tokens(ends[gamma - 1].low), high = of_tokens(ends[gamma - 1].high);
    if (!found || !low || !high) return std::nullopt;
    found->low = low->low, found->high = high->high;
    return found;
  }

 private:
  void hold(std::vector<TextEstimate>& by_gamma, RequestBrackets const& of) {
    for (std::size_t gamma = 1; gamma < by_gamma.size() && gamma <= of.longest(); ++gamma) {
      auto const& [low, high, exact] = ends.emplace_back(of.at(gamma));
      brackets.push_back({low.value, exact ? low.value : std::min(high.value, static_cast<double>(gamma) + 1)});
    }
    std::vector<double> const tokens_there = held(values_of(by_gamma), brackets, of.longest());
    for (std::size_t i = 0; i < brackets.size(); ++i) {
      TextEstimate& here = by_gamma[i + 1];
      here = ends[i].exact ? ends[i].low : here * (tokens_there[i + 1] / here.value);
    }
  }
  void price(std::vector<TextEstimate> by_gamma, Costs const& costs, bool bonus) {
    tokens = std::move(by_gamma);
    speedups.push_back(tokens.front());  // 1, as its time is
    for (std::size_t g = 1; g < tokens.size(); ++g) {
      priced.push_back(text_speedup(tokens[g], static_cast<int>(g), costs, bonus));
      speedups.push_back(priced.back().speedup);
    }
  }
};

void add_to_rows(CountedGamma& choice, Estimates const& of, CountedAsked const& asked) {
  auto& rows = choice.rows;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    if (g > 0)
      rows[g].interval = of.interval(g, [&](TextEstimate const& tokens) {
        return interval_within(tokens * (1 / rows[g].time), asked.confidence, of.priced[g - 1].speedup_limits);
      });
    if (g != choice.best) rows[g].lead = delta_interval(of.speedups[choice.best] - of.speedups[g], asked.confidence);
  }
}

void add_yields(CountedGamma& choice, Estimates const& of, Costs const& costs, CountedAsked const& asked) {
  for (TextSpeedup const& at : of.priced) {
    auto const g = static_cast<std::size_t>(at.gamma);
    auto const tokens_within = of.interval(g, [&](TextEstimate const& tokens) {
      return interval_within(tokens, asked.confidence, tokens_in_round(at.gamma, asked.bonus));
    });
    auto const pays_within = of.interval(g, [&](TextEstimate const& tokens) {
      return interval_within(text_speedup(tokens, at.gamma, costs, asked.bonus).break_even, asked.confidence,
                             at.break_even_limits);
    });
    choice.yields.push_back({at.gamma, of.tokens[g].value, at.break_even.value, tokens_within, pays_within});
  }
}

/// A figure of every resample: value ± t·√(n/(n − 1))·deviation; none where all say the same. `survival`: what it is a
/// function of.
std::optional<Interval> over_resamples(std::vector<double> const& values, double value, TextEstimate const& survival,
                                       double confidence) {
  auto const n = static_cast<double>(survival.texts());
  double const spread = spread_of(values);
  if (only_rounding(spread, value)) return std::nullopt;
  return student_interval(value, std::sqrt(n / (n - 1)) * spread, survival.degrees(), confidence);
}

/// Errors over resamples of the requests; none where a resample does not define the figures.
void add_to_policies(CountedGamma& choice, Estimates const& of, Costs const& costs, CountedAsked const& asked) {
  auto& policies = choice.policies;
  TextEstimate const& deepest = of.survival.back();
  if (deepest.resampled.empty()) return;
  std::vector<std::vector<double>> speedups(policies.size()), over(policies.size());
  for (std::size_t b = 0; b < deepest.resampled.size(); ++b) {
    std::vector<double> drawn;
    for (TextEstimate const& reached : of.survival) drawn.push_back(reached.resampled[b]);
    if (!std::ranges::all_of(drawn, [](double s) { return std::isfinite(s); })) return;
    for (double& reached : drawn) reached = std::min(1., reached);
    auto const there = long_run_policies(drawn, costs, asked.bonus);
    for (std::size_t i = 0; i < policies.size(); ++i) {
      speedups[i].push_back(there[i].speedup);
      over[i].push_back(there[i].speedup - of.speedups[choice.best].resampled[b]);
    }
  }
  double const best = choice.rows[choice.best].speedup;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    policies[i].over_best = over_resamples(over[i], policies[i].speedup - best, deepest, asked.confidence);
    auto const interval = over_resamples(speedups[i], policies[i].speedup, deepest, asked.confidence);
    if (interval) policies[i].interval = cut_to(positive, *interval);
  }
}

/// What follows from them of γ; survival and policies are left empty.
CountedGamma choice_of(Estimates const& of, double rounds, Costs const& costs, CountedAsked const& asked) {
  CountedGamma choice;
  choice.rows = rows_of(values_of(of.tokens), costs);
  choice.best = smallest_best(choice.speedups());
  choice.brackets = of.brackets;
  choice.set = gamma_set(of.speedups, asked.confidence, asked.seed);
  if (choice.set) choice.mark_members();
  add_to_rows(choice, of, asked);
  add_yields(choice, of, costs, asked);
  choice.runner_up = runner_up_in(choice.rows, choice.best, of.speedups, rounds);
  if (of.speedups.front().texts() > 1) choice.draws = student_draws(of.speedups, asked.draws, asked.seed);
  choice.influence = of.speedups[choice.best].influence;
  return choice;
}

}  // namespace

CountedGamma choose_by_tokens(std::vector<TextEstimate> tokens, double rounds, Costs const& costs,
                              CountedAsked const& asked) {
  require_draws(asked.draws, tokens.size() - 1, draws_of_set);
  return choice_of(Estimates(std::move(tokens), costs, asked.bonus), rounds, costs, asked);
}

RequestsGamma choose_by_requests(LengthCounts const& requests, Costs const& costs, CountedAsked const& asked) {
  RequestsGamma found{.choice = {}, .counted = survival_over_requests(requests, asked.draws, asked.seed)};
  require_draws(asked.draws, asked.depth(found.counted.survival.size()), draws_of_set);
  Estimates const of(found.counted, requests, costs, asked);
  CountedGamma& choice = found.choice;
  choice = choice_of(of, static_cast<double>(found.counted.pooled.rounds), costs, asked);
  choice.survival = values_of(of.survival);
  RequestCounts const rows = all_rows(requests);
  if (asked.thorough) {
    found.dependence = round_dependence(rows, found.counted, asked.seed);
    found.dependent = found.dependence && found.dependence->p_value < dependent_below;
    // Where rounds depend on each other, what policies gain is not known of survival: it was 5 % of S off.
    if (!found.dependent) {
      choice.policies = long_run_policies(choice.survival, costs, asked.bonus);
      add_to_policies(choice, of, costs, asked);
    }
  }
  choice.claim_only(std::ranges::max(rows, {}, &std::vector<std::int64_t>::size).size() - 1);
  if (!enough_rounds(found.counted.pooled.rounds)) choice.claim_no_set();
  return found;
}

}  // namespace draftgauge
