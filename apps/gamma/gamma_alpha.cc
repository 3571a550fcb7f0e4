#include "apps/gamma/gamma_alpha.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <ranges>

#include "analysis/choose/alarms.h"
#include "analysis/tables/gamma_map.h"
#include "apps/cli/written_values.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr int rows_shown = 40;  ///< where there are more, those around the best and round numbers

struct Alphas {
  std::vector<double> values;
  bool interval = false;
};

Alphas alphas_of(std::string const& text) {
  try {
    std::size_t const dots = text.find("..");
    if (dots == text.npos) {
      Alphas all;
      for (WrittenNumber const& alpha : parse_written_probabilities(text)) all.values.push_back(alpha.value);
      return all;
    }
    double const low = parse_written_probability(text.substr(0, dots)).value;
    double const high = parse_written_probability(text.substr(dots + 2)).value;
    if (low > high)
      throw Error(fmt::format("'{}' runs backwards (an interval goes from its smaller end to its larger)", text),
                  fmt::format("write {:g}..{:g}", high, low));
    return {{low, high}, true};
  } catch (Error const& error) {
    throw UsageError("--alpha", error);
  }
}

/// --cost as a list of numbers: several for a map, else one thing that RoundCosts reads.
std::vector<std::string> costs_asked(std::string const& text) {
  if (text.find(',') == text.npos || value_shape(text) != ValueShape::numbers) return {text};
  try {
    std::vector<std::string> each;
    for (WrittenNumber const& cost : parse_written_numbers(text)) each.push_back(fmt::format("{}", cost.value));
    return each;
  } catch (Error const& error) {
    throw UsageError("--cost", error);
  }
}

/// The γ that a reader sees: all up to beyond the best. Where these are many: plain decoding, the best and its four
/// neighbours on either side, the ends of what is near it, and 1, 2, 5, 10, 20, 50, … up to beyond all of these.
std::vector<std::int64_t> gammas_shown(BestGamma const& best, std::vector<GammaRange> const& near_optimal,
                                       std::optional<int> most) {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max() / 16, around = 4;
  std::int64_t const chosen = std::min(best.gamma.value_or(8), greatest);
  std::int64_t last = most.value_or(std::max<std::int64_t>(8, 2 * chosen));
  if (!most && !near_optimal.empty())
    last = std::max(last, std::min(greatest, near_optimal.back().last.value_or(near_optimal.back().first)) + 1);
  std::vector<std::int64_t> gammas;
  auto const add = [&](std::int64_t gamma) {
    if (gamma >= 0 && gamma <= last) gammas.push_back(gamma);
  };
  if (last <= rows_shown) {
    for (std::int64_t gamma = 0; gamma <= last; ++gamma) add(gamma);
    return gammas;
  }
  add(0);
  for (std::int64_t power = 1; power <= last; power *= 10)
    for (std::int64_t const digit : {1, 2, 5}) add(digit * power);
  for (std::int64_t gamma = chosen - around; gamma <= chosen + around; ++gamma) add(gamma);
  for (GammaRange const& range : near_optimal) {
    add(range.first);
    add(range.last.value_or(range.first));
  }
  std::ranges::sort(gammas);
  gammas.erase(std::ranges::unique(gammas).begin(), gammas.end());
  return gammas;
}

/// Where drafting pays: at the best γ, and at any.
std::vector<std::string> break_even(IidRounds const& rounds, BestGamma const& best, GammaReport& report) {
  std::vector<std::string> notes;
  if (best.gamma && *best.gamma > 0) {
    std::int64_t const gamma = *best.gamma;
    auto const alpha = theory::implied_alpha(time_of_round(rounds.costs, gamma), gamma, rounds.bonus);
    double const cost = break_even_cost(rounds, gamma);
    report.break_even = {alpha, Estimated{cost, {}}};
    notes.push_back(pays_text(gamma, cost, {}, alpha ? fmt::format("from α = {:.4g} on, and ", *alpha) : ""));
  }
  constexpr double none = 1e-9;  // to which the α is found: from there on at any
  auto any_alpha = least_paying_alpha(rounds);
  if (any_alpha) any_alpha = *any_alpha > none ? *any_alpha : 0;
  auto const any_cost = greatest_paying_cost(rounds);
  std::string const from =
      any_alpha && *any_alpha > 0 ? fmt::format("from α = {:.4g} on", *any_alpha) : std::string("at any α above 0");
  notes.push_back(any_alpha ? fmt::format("Some γ pays {} at these costs{}.", from,
                                          any_cost ? fmt::format(", and up to c = {:.4g} at this α", *any_cost) : "")
                            : std::string("No γ pays at these costs, whatever α is."));
  report.pays = {any_alpha, any_cost};
  return notes;
}

/// S of γ = 0, 1, … up to the most.
std::vector<double> speedups_to(IidRounds const& rounds, int most) {
  return speedups_of(std::views::iota(0, most + 1), [&](int gamma) { return speedup(rounds, gamma); });
}

}  // namespace

GammaAnswer gamma_of_setting(double alpha, PricedRound const& round, GammaAsked const& asked) {
  IidRounds const rounds{alpha, round.costs, asked.bonus};
  BestGamma const best = best_of(rounds, asked.most);
  std::vector<GammaRange> const near_optimal = near_of(rounds, asked);
  std::vector<GammaRow> rows;
  for (std::int64_t const gamma : gammas_shown(best, near_optimal, asked.most))
    rows.push_back(row_of(gamma, tokens_of_round(rounds, gamma), round.costs));

  GammaAnswer found{.report = report_of(GammaReport::Of::alpha, round, asked, "closed_form"),
                    .best = best.gamma,
                    .rows = rows,
                    .alpha = alpha};
  Result& result = found.result;
  GammaReport& report = *found.report;
  bool const edge = best.gamma && asked.most && *best.gamma == *asked.most;
  result.title = fmt::format("{}{} (α={}, {}{})", answer(best), edge ? ", the longest of --most" : "", alpha,
                             cost_text(round.costs), batch_text(asked));
  if (best.gamma == 0) {
    std::vector<GammaRow> all;
    for (int gamma = 1; gamma <= asked.most.value_or(longest_policy_draft); ++gamma)
      all.push_back(row_of(gamma, tokens_of_round(rounds, gamma), round.costs));
    result.alarms = alarms_of({}, all, {}, false);
  }
  report.alpha = alpha;
  report.best_gamma = best.gamma;
  report.best_speedup = best.speedup;
  auto const real = asked.most ? std::nullopt : best_real_gamma(rounds);
  report.real = real;
  report.near_best = near_optimal;
  Section curve = curve_section(rows, best.gamma, asked);
  curve.note(near_text(near_optimal, asked.near_optimal));
  if (real && real->gamma > 0)
    curve.note(fmt::format("If γ could be any real number: {:.4f}, S = {:.4f}.", real->gamma, real->speedup));
  curve.note(break_even(rounds, best, report));
  add_setting_notes(curve, asked, round);
  result.sections.push_back(std::move(curve));
  report.curve = curve_of(rows, asked.operations());

  int const longest = asked.most.value_or(longest_policy_draft);
  if (best.gamma && *best.gamma > longest) {
    // Policies are worked out draft by draft: shorter rounds than the best would be set beside it.
    result.sections.front().notes.push_back(fmt::format(
        "What adapting γ could win is worked out for at most {} drafts a round; the best γ here has more.", longest));
    return found;
  }
  auto const survival = geometric_survival(rounds.alpha, longest);
  auto const policies = long_run_policies(survival, round.costs, asked.bonus);
  report.policies = adapting_of(policies, best.speedup);
  if (std::isfinite(best.speedup)) {
    // The best fixed γ under the same cap as the policies.
    PolicyGain const fixed = long_run(DraftPolicy::per_round_oracle, survival, round.costs, asked.bonus);
    Section adapting = policy_section(policies, fixed.speedup, static_cast<std::int64_t>(fixed.mean_drafts));
    adapting.notes.push_back("Where every context has the same α nothing is won by choosing γ anew.");
    adapting.notes.push_back(most_text(static_cast<std::size_t>(longest)) + ", of the fixed γ, too.");
    result.sections.push_back(std::move(adapting));
  }
  return found;
}

BestGamma best_of(IidRounds const& rounds, std::optional<int> most) {
  if (!most) return best_gamma(rounds);
  auto const speedups = speedups_to(rounds, *most);
  std::size_t const best = smallest_best(speedups);
  return {static_cast<std::int64_t>(best), speedups[best]};
}

std::vector<GammaRange> near_of(IidRounds const& rounds, GammaAsked const& asked) {
  if (!asked.most) return near_best(rounds, asked.near_optimal);
  return near_best(speedups_to(rounds, *asked.most), asked.near_optimal);
}

namespace {

/// Refuses what only a curve over γ uses.
void require_curve(Invocation const& args, std::string_view asked) {
  args.refuse({"--near", "--ops-cost"},
              fmt::format("has no meaning for {} (it is about the curve of one α at one cost)", asked));
}

/// Best γ and its S for each α and c.
GammaAnswer map_over(std::vector<double> const& alphas, std::vector<PricedRound> const& rounds,
                     GammaAsked const& asked) {
  std::vector<double> costs;
  for (PricedRound const& round : rounds) costs.push_back(round.costs.draft);
  GammaMapReport report{setting_of(rounds.front(), asked, "closed_form")};
  GammaMap map = gamma_map(alphas, costs, [&](double alpha, std::size_t i) {
    BestGamma const best = best_of({alpha, rounds[i].costs, asked.bonus}, asked.most);
    report.map.push_back({alpha, costs[i], best});
    return best;
  });
  for (PricedRound const& round : rounds) report.costs.push_back(round.costs);
  Result result{.document = document_of(report)};
  result.title = fmt::format("The best γ for {} α and {} c{}{}", alphas.size(), rounds.size(),
                             pass_text(rounds.front().costs), batch_text(asked));
  result.sections.push_back({.heading = "Best γ", .table = std::move(map.gammas)});
  Section there{.heading = "Speed-up there", .table = std::move(map.speedups)};
  add_setting_notes(there, asked, rounds.front());
  result.sections.push_back(std::move(there));
  return {.result = std::move(result), .several = "α"};
}

GammaAnswer over_interval(double low, double high, PricedRound const& round, GammaAsked const& asked) {
  if (asked.most)
    throw UsageError("--most has no meaning for an interval of α (its γ is between the best of its ends)",
                     "leave it out");
  IidRounds const rounds{0, round.costs, asked.bonus};
  double const ends[] = {low, high};
  LeastRegret const least = least_regret(rounds, ends[0], ends[1]);
  GammaIntervalReport report{setting_of(round, asked, "closed_form"), round.costs, least.gamma, least.regret};
  for (int i = 0; i < 2; ++i)
    report.ends.push_back({i == 0 ? low : high, best_gamma({ends[i], round.costs, asked.bonus}),
                    i == 0 ? least.at_low : least.at_high});
  std::string const chosen = least.gamma ? fmt::format("γ={}", *least.gamma) : std::string("the longer the better");
  Result result{.document = document_of(report)};
  result.title = fmt::format("{} loses at most {:.2g} % of the best speed-up for α from {} to {} ({}{})", chosen,
                             100 * least.regret, low, high, cost_text(round.costs), batch_text(asked));
  Section section{.heading = "At the ends of the interval",
                  .table = rows_of(describe_end(least.gamma).fields, report.ends).table()};
  section.notes.push_back("No other γ has a smaller worst loss; the worst α is always at an end.");
  add_setting_notes(section, asked, round);
  result.sections.push_back(std::move(section));
  return {.result = std::move(result), .several = "α", .best = least.gamma};
}

}  // namespace

GammaAnswer gamma_of_alpha(Invocation const& args, GammaAsked const& asked) {
  Alphas const alphas = alphas_of(args.text("--alpha"));
  std::vector<PricedRound> rounds;
  for (std::string const& cost : costs_asked(cost_given(args))) rounds.push_back(priced_round(args, cost, asked));
  if (alphas.interval && rounds.size() > 1)
    throw UsageError("--cost is a list and --alpha an interval (an interval has one γ at one cost)", "give one cost");
  if (alphas.interval) {
    require_curve(args, "an interval of α");
    return over_interval(alphas.values[0], alphas.values[1], rounds.front(), asked);
  }
  if (alphas.values.size() * rounds.size() > 1) {
    require_curve(args, "a map");
    require_few("--alpha and --cost", alphas.values.size() * rounds.size());
    return map_over(alphas.values, rounds, asked);
  }
  return gamma_of_setting(alphas.values.front(), rounds.front(), asked);
}

}  // namespace draftgauge
