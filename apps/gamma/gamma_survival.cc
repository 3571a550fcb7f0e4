#include "apps/gamma/gamma_survival.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/choose/gamma_set.h"
#include "analysis/choose/text_gamma.h"
#include "analysis/stats/kaplan_meier.h"
#include "apps/gamma/gamma_requests.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/gamma/gamma_yield.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// Rounds that must have drafted as far as two draft lengths reach before these are compared: of fewer the prior
/// decides.
constexpr std::uint64_t fewest_rounds = 20;

/// E[N] for γ = 0 … survival.size().
std::vector<double> tokens_by_gamma(std::span<double const> survival, bool bonus) {
  std::vector<double> tokens = {1};
  for (std::size_t gamma = 1; gamma <= survival.size(); ++gamma)
    tokens.push_back(theory::expected_tokens(survival.first(gamma), bonus));
  return tokens;
}

/// α^i for i = 1, 2, …
std::vector<double> geometric(double alpha, int most) {
  std::vector<double> survival;
  for (int i = 1; i <= most; ++i) survival.push_back(std::pow(alpha, i));
  return survival;
}

/// As said, to the batch's and as deep as --most allows.
std::vector<double> as_asked(std::vector<double> survival, GammaAsked const& asked) {
  if (asked.most && survival.size() > static_cast<std::size_t>(*asked.most))
    survival.resize(static_cast<std::size_t>(*asked.most));
  if (asked.lockstep)
    for (double& reached : survival) reached = lockstep_alpha(reached, asked.batch);
  return survival;
}

/// One survival curve and what follows from it for each γ.
struct SurvivalCurve {
  std::vector<double> survival;
  std::vector<GammaRow> rows;
  std::vector<double> speedups;

  SurvivalCurve(std::vector<double> as_said, Costs const& costs, GammaAsked const& asked)
      : survival(as_asked(std::move(as_said), asked)),
        rows(rows_of(tokens_by_gamma(survival, asked.bonus), costs)),
        speedups(speedups_of(rows)) {}
};

/// What was counted, and curves that might as well be the true one.
struct Counted {
  KaplanMeier found;
  std::vector<SurvivalCurve> draws;

  /// A figure of every draw.
  std::vector<double> over_draws(auto const& figure) const {
    std::vector<double> values;
    for (SurvivalCurve const& draw : draws) values.push_back(figure(draw));
    return values;
  }
};

/// The curves at both ends of α.
struct Ends {
  SurvivalCurve low, high;
  double confidence;

  /// Of a figure that grows with α.
  Interval between(double value, auto const& figure) const {
    return {value, std::min(value, figure(low)), std::max(value, figure(high)), confidence, true};
  }
};

Counted const* drawn_of(std::optional<Counted> const& counted) {
  return counted && !counted->draws.empty() ? &*counted : nullptr;
}

Counted counted_from(RequestCounts const& histograms, GammaAsked const& asked, Costs const& costs) {
  Counted counted{kaplan_meier(histograms), {}};
  for (std::vector<double>& draw : survival_draws(counted.found, asked.resamples, asked.seed))
    counted.draws.emplace_back(std::move(draw), costs, asked);
  return counted;
}

std::vector<double> survival_said(Invocation const& args) {
  char const* const name =
      *std::ranges::find_if(survival_options, [&](char const* option) { return args.has(option); });
  std::vector<double> const rates = numbers_of(args, name);
  std::string_view const option = name;
  if (option == "--survival" || option == "--cumulative-rates") return rates;
  if (option == "--rates" && could_be_cumulative(rates)) {
    std::string const& given = args.text(name);
    throw UsageError(fmt::format("--rates {} can be read in two ways (as shares of all rounds, which vLLM prints as "
                                 "\"Per-position acceptance rate\", or of the rounds that kept the drafts before)",
                                 given),
                     fmt::format("write --cumulative-rates {} for the first, --conditional-rates {} for the second",
                                 given, given));
  }
  return survival_of_rates(rates);
}

Interval central(std::vector<double> values, double value, double confidence) {
  std::ranges::sort(values);
  auto const at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + .5)];
  };
  double const tail = (1 - confidence) / 2;
  return {value, std::min(value, at(tail)), std::max(value, at(1 - tail)), confidence, true};
}

double deviation(std::vector<double> const& values) {
  double mean = 0, squares = 0;
  for (double const x : values) mean += x / static_cast<double>(values.size());
  for (double const x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

/// Intervals, and how often each γ wins.
void add_draws(std::vector<GammaRow>& rows, std::size_t best, Counted const& counted, GammaAsked const& asked) {
  std::vector<std::size_t> won(rows.size());
  for (SurvivalCurve const& draw : counted.draws) ++won[smallest_best(draw.speedups)];
  for (std::size_t g = 0; g < rows.size(); ++g) {
    double const speedup = rows[g].speedup;
    if (g > 0)
      rows[g].interval = central(counted.over_draws([&](SurvivalCurve const& draw) { return draw.speedups[g]; }),
                                 speedup, asked.confidence);
    rows[g].wins = static_cast<double>(won[g]) / static_cast<double>(counted.draws.size());
    if (g != best)
      rows[g].lead = central(
          counted.over_draws([&](SurvivalCurve const& draw) { return draw.speedups[best] - draw.speedups[g]; }),
          rows[best].speedup - speedup, asked.confidence);
  }
}

/// Which γ may be the best, by the draws around the curve.
GammaSet set_of(std::vector<GammaRow>& rows, Counted const& counted, double confidence) {
  std::vector<double> const speedups = speedups_of(rows);
  auto const errors = [&](std::size_t b, std::span<double> into) {
    for (std::size_t g = 0; g < into.size(); ++g) into[g] = counted.draws[b].speedups[g] - speedups[g];
  };
  GammaSet set = gamma_set({speedups, counted.draws.size(), errors}, confidence);
  for (std::size_t g = 0; g < rows.size(); ++g) rows[g].may_be_best = std::ranges::binary_search(set.members, g);
  return set;
}

/// Intervals between the ends of α, and which γ are the best there or between.
std::vector<GammaRange> add_ends(std::vector<GammaRow>& rows, Ends const& ends) {
  std::size_t const first = smallest_best(ends.low.speedups), last = smallest_best(ends.high.speedups);
  for (std::size_t g = 0; g < rows.size(); ++g) {
    if (g > 0)
      rows[g].interval = ends.between(rows[g].speedup, [&](SurvivalCurve const& end) { return end.speedups[g]; });
    rows[g].may_be_best = g >= first && g <= last;
  }
  return {{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)}};
}

/// Whether the next best γ is told from the best, into the document and a note.
std::string compare(std::vector<GammaRow> const& rows, std::size_t best, Counted const& counted, Json& document) {
  std::size_t const second = *runner_up(speedups_of(rows), best), deeper = std::max(best, second);
  std::uint64_t const reached = counted.found.reached[deeper - 1];
  if (reached < fewest_rounds)
    return fmt::format(
        "γ={} and {} are not compared: {} {} drafted token {} and kept those before it, {} are needed.",
        std::min(best, second), deeper, reached, reached == 1 ? "round" : "rounds", deeper, fewest_rounds);
  auto const leads =
      counted.over_draws([&](SurvivalCurve const& draw) { return draw.speedups[best] - draw.speedups[second]; });
  auto const rounds = static_cast<double>(counted.found.rounds);
  GammaRunnerUp const runner_up =
      runner_up_of(static_cast<int>(second), *rows[second].lead, deviation(leads), rounds);
  document["runner_up"] = runner_up_document(runner_up, "rounds");
  return runner_up_words(static_cast<int>(best), runner_up, rounds, "rounds");
}

/// Each policy in each draw, beside the best γ of the counts themselves.
void add_draws(std::vector<PolicyRow>& policies, double best_speedup, std::size_t best, Counted const& counted,
               Costs const& costs, GammaAsked const& asked) {
  std::vector<std::vector<double>> speedups(policies.size()), over(policies.size());
  for (SurvivalCurve const& draw : counted.draws) {
    auto const there = long_run_policies(draw.survival, costs, asked.bonus);
    for (std::size_t i = 0; i < policies.size(); ++i) {
      speedups[i].push_back(there[i].speedup);
      over[i].push_back(there[i].speedup - draw.speedups[best]);
    }
  }
  for (std::size_t i = 0; i < policies.size(); ++i) {
    double const speedup = policies[i].speedup;
    policies[i].interval = central(std::move(speedups[i]), speedup, asked.confidence);
    policies[i].over_best = central(std::move(over[i]), speedup - best_speedup, asked.confidence);
  }
}

/// Up to which c the best γ pays, into the document and a note.
std::string pays(std::vector<GammaRow> const& rows, std::size_t best, Counted const* drawn, Ends const* ends,
                 Costs const& costs, GammaAsked const& asked, Json& document) {
  auto const gamma = static_cast<std::int64_t>(best);
  auto const cost = [&](std::vector<GammaRow> const& of) {
    return break_even_cost(of[best].tokens - 1, costs, gamma);
  };
  std::optional<Interval> interval;
  if (drawn)
    interval = central(drawn->over_draws([&](SurvivalCurve const& draw) { return cost(draw.rows); }), cost(rows),
                       asked.confidence);
  if (ends) interval = ends->between(cost(rows), [&](SurvivalCurve const& end) { return cost(end.rows); });
  document["break_even"] = break_even_document({}, cost(rows), interval);
  return pays_words(gamma, cost(rows), interval);
}

/// `drawn`: what of the table is of draws.
std::string counts_words(std::string_view drawn, double confidence) {
  std::string words =
      "Rounds that kept all their drafts are censored there (Kaplan and Meier), as if γ had been chosen without "
      "regard "
      "to what would be kept";
  if (!drawn.empty())
    words +=
        fmt::format("; {:g} % {} are of draws from the rates' Jeffreys posterior, rounds taken to be independent",
                    100 * confidence, drawn);
  words += ".";
  if (!drawn.empty())
    words +=
        " Rounds of one request mostly are not: intervals are then too narrow, by a factor that one histogram does "
        "not say. Counts by request (--accepted FILE, a row a request) do.";
  return words;
}

/// Each γ ≥ 1 where nothing is known of costs.
std::vector<GammaYield> yields_of(SurvivalCurve const& of, Counted const* drawn, Ends const* ends, Costs const& costs,
                                  GammaAsked const& asked) {
  std::vector<GammaYield> yields;
  for (GammaRow const& row : of.rows) {
    if (row.gamma == 0) continue;
    auto const tokens = [&](SurvivalCurve const& curve) {
      return curve.rows[static_cast<std::size_t>(row.gamma)].tokens;
    };
    auto const cost = [&](SurvivalCurve const& curve) {
      return break_even_cost(tokens(curve) - 1, costs, row.gamma);
    };
    GammaYield yield{row.gamma, row.tokens, cost(of)};
    if (drawn) {
      yield.tokens_within = central(drawn->over_draws(tokens), yield.tokens, asked.confidence);
      yield.pays_within = central(drawn->over_draws(cost), yield.pays, asked.confidence);
    } else if (ends) {
      yield.tokens_within = ends->between(yield.tokens, tokens);
      yield.pays_within = ends->between(yield.pays, cost);
    }
    yields.push_back(std::move(yield));
  }
  return yields;
}

void add_without_costs(Result& result, std::string const& size, SurvivalCurve const& of,
                       std::optional<Counted> const& counted, Ends const* ends, PricedRound const& round,
                       GammaAsked const& asked) {
  Counted const* const drawn = drawn_of(counted);
  auto const yields = yields_of(of, drawn, ends, round.costs, asked);
  add_yield(result.document, yields, asked);
  std::string words = yield_answer(yields.back());
  if (counted) words = led_by_size(words, counted->found.rounds, nullptr, false);
  result.title = fmt::format("{} ({}nothing is known beyond{})", words, size, batch_words(asked));
  Section section = yield_section(yields, asked);
  if (!size.empty()) section.notes.push_back(counts_words(drawn ? "intervals" : "", asked.confidence));
  add_setting_notes(section, asked, round);
  result.sections.push_back(std::move(section));
}

/// Of counts, or of a curve as said, which has ends or is taken as exact; of_rounds: that it was counted of.
Result gamma_of(std::optional<Counted> const& counted, std::vector<double> said, Ends const* ends,
                std::optional<std::uint64_t> of_rounds, PricedRound const& round, GammaAsked const& asked) {
  Counted const* const drawn = drawn_of(counted);
  std::string const size = counted ? fmt::format("{} rounds{}, ", counted->found.rounds,
                                                 drawn ? ", intervals as if they were independent" : "")
                                   : std::string();
  std::optional<std::uint64_t> const counts_rounds = counted ? std::optional(counted->found.rounds) : of_rounds;
  SurvivalCurve of(counted ? counted->found.survival : std::move(said), round.costs, asked);

  Result result{.document = setting_document(round, asked)};
  Json& document = result.document;
  document["estimator"] = drawn ? "kaplan_meier_jeffreys" : counted ? "kaplan_meier" : "survival";
  document["ops_cost"] = asked.ops_cost;
  document["survival"] = of.survival;
  if (counted) document["rounds"] = counted->found.rounds;
  if (!round.given) {
    add_without_costs(result, size, of, counted, ends, round, asked);
    return result;
  }

  std::size_t const best = smallest_best(of.speedups);
  double const best_speedup = of.speedups[best];
  std::optional<GammaSet> set;
  std::vector<GammaRange> ranges;
  if (drawn) {
    add_draws(of.rows, best, *drawn, asked);
    set = set_of(of.rows, *drawn, asked.confidence);
    ranges = ranges_of(std::vector<int>(set->members.begin(), set->members.end()));
  } else if (ends) {
    ranges = add_ends(of.rows, *ends);
  }
  std::vector<PolicyRow> policies = long_run_policies(of.survival, round.costs, asked.bonus);
  if (drawn) add_draws(policies, best_speedup, best, *drawn, round.costs, asked);
  auto const near = near_best(of.speedups, asked.near);

  document["best_gamma"] = best;
  document["best_speedup"] = best_speedup;
  document["break_even"] = break_even_document({}, {});
  document["near_best"] = near_document(near);
  document["runner_up"] = nullptr;
  add_set(document, ranges, set ? set->regret : std::nullopt);
  document["curve"] = curve_document(of.rows, asked);
  document["policies"] = policy_document(policies);

  std::string words = answer({static_cast<std::int64_t>(best), best_speedup});
  bool const enough = !counts_rounds || enough_rounds(*counts_rounds);
  if (!ranges.empty() && enough) words += "; " + set_words(ranges);
  EdgeWords const edge = edge_words(best, of.survival.size());
  words += edge.answer;
  if (counts_rounds) words = led_by_size(words, *counts_rounds, &of.rows[best], drawn || ends);
  result.title = fmt::format("{} ({}{}{})", words, size, cost_words(round.costs), batch_words(asked));
  Section curve = curve_section(of.rows, static_cast<std::int64_t>(best), asked);
  if (set && enough)
    curve.notes.push_back("Were rounds independent: " +
                          set_sentence(ranges, static_cast<std::int64_t>(best), set->regret, set->confidence));
  curve.notes.push_back(near_words(near, asked.near));
  curve.notes.insert(curve.notes.end(), edge.notes.begin(), edge.notes.end());
  if (ends && enough)
    curve.notes.push_back(set_sentence(ranges, static_cast<std::int64_t>(best), std::nullopt, ends->confidence));
  if (best > 0) curve.notes.push_back(pays(of.rows, best, drawn, ends, round.costs, asked, document));
  if (drawn) curve.notes.push_back(compare(of.rows, best, *drawn, document));
  if (counted) curve.notes.push_back(counts_words(drawn ? "intervals and the set" : "", asked.confidence));
  if (counted) document["notes"].push_back(curve.notes.back());
  add_setting_notes(curve, asked, round);
  result.sections.push_back(std::move(curve));
  Section adapting = policy_section(policies, best_speedup);
  adapting.notes.push_back(most_words(of.survival.size()) + "; rounds taken to be independent.");
  result.sections.push_back(std::move(adapting));
  return result;
}

}  // namespace

Result gamma_of_histograms(RequestCounts const& rows, PricedRound const& round, GammaAsked const& asked) {
  Result result = gamma_of(counted_from(rows, asked, round.costs), {}, nullptr, {}, round, asked);
  std::ranges::move(empty_rows_note(rows), std::back_inserter(result.sections.front().notes));
  return result;
}

Result gamma_of_curve(std::vector<double> survival, PricedRound const& round, GammaAsked const& asked) {
  return gamma_of(std::nullopt, std::move(survival), nullptr, {}, round, asked);
}

Result gamma_of_independent(double alpha, std::optional<Interval> const& within, std::uint64_t rounds, int most,
                            PricedRound const& round, GammaAsked const& asked) {
  std::optional<Ends> ends;
  if (within)
    ends = Ends{{geometric(within->low, most), round.costs, asked},
                {geometric(within->high, most), round.costs, asked},
                within->confidence};
  return gamma_of(std::nullopt, geometric(alpha, most), ends ? &*ends : nullptr, rounds, round, asked);
}

Result gamma_of_survival(Invocation const& args, GammaAsked const& asked) {
  PricedRound const round = priced_round(args, cost_given(args), asked);
  if (!args.has("--accepted")) return gamma_of_curve(survival_said(args), round, asked);
  AcceptedCounts const accepted = accepted_counts(args);
  return accepted.by_request ? gamma_of_requests(one_length_each(accepted.rows), round, asked)
                             : gamma_of_histograms(accepted.rows, round, asked);
}

}  // namespace draftgauge
