#include "apps/gamma/gamma_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "analysis/choose/gamma_set.h"
#include "analysis/choose/text_gamma.h"
#include "analysis/recordings/text_file.h"
#include "analysis/texts/text_limits.h"
#include "apps/cli/written_values.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/gamma/gamma_yield.h"
#include "sim/base/error.h"
#include "sim/base/mapped_file.h"
#include "sim/base/path_hint.h"

namespace draftgauge {
namespace {

constexpr double dependent_below = .01;  ///< p-value from which on rounds are called dependent
/// Fewer are too few to lead with a number: what fewest_tokens (analysis/choose/text_lead.h) are in rounds.
constexpr std::uint64_t fewest_counted = 85;

std::vector<std::int64_t> histogram_of(std::string_view text) {
  try {
    auto counts = parse_counts(text);
    require_histogram(counts);
    return counts;
  } catch (Error const& error) {
    throw UsageError("--accepted", error);
  }
}

struct RequestCurve {
  std::vector<TextEstimate> survival, tokens, speedups;
  std::vector<GammaRow> rows;
  std::size_t best;

  RequestCurve(RequestSurvival const& of, Costs const& costs, GammaAsked const& asked) : survival(of.survival) {
    if (asked.most && survival.size() > static_cast<std::size_t>(*asked.most))
      survival.erase(survival.begin() + *asked.most, survival.end());
    if (asked.lockstep) {
      auto const batch = static_cast<double>(asked.batch);
      for (TextEstimate& reached : survival)
        reached = reached.through([&](double s) { return std::pow(s, batch); },
                                  [&](double s) { return batch * std::pow(s, batch - 1); });
    }
    tokens = tokens_over_requests(survival, asked.bonus);
    std::vector<double> means;
    for (TextEstimate const& each : tokens) means.push_back(each.value);
    rows = rows_of(means, costs);
    for (std::size_t g = 0; g < tokens.size(); ++g) speedups.push_back(tokens[g] * (1 / rows[g].time));
    best = smallest_best(speedups_of(rows));
  }

  void add_errors(std::optional<GammaSet> const& set, GammaAsked const& asked) {
    for (std::size_t g = 0; g < rows.size(); ++g) {
      Limits const tokens_within = tokens_in_round(static_cast<int>(std::max<std::size_t>(g, 1)), asked.bonus);
      Limits const within{tokens_within.least / rows[g].time, tokens_within.most / rows[g].time};
      if (g > 0) rows[g].interval = interval_within(speedups[g], asked.confidence, within);
      if (g != best) rows[g].lead = delta_interval(speedups[best] - speedups[g], asked.confidence);
      if (set) rows[g].may_be_best = std::ranges::binary_search(set->members, g);
    }
  }
};

std::optional<GammaRunnerUp> runner_up_in(RequestCurve const& curve, double rounds) {
  auto const second = runner_up(speedups_of(curve.rows), curve.best);
  if (!second || !curve.rows[*second].lead) return std::nullopt;
  TextEstimate const lead = curve.speedups[curve.best] - curve.speedups[*second];
  return runner_up_of(static_cast<int>(*second), *curve.rows[*second].lead, lead.standard_error(), rounds);
}

/// A figure of every resample: value ± t·√(n/(n − 1))·deviation; none where all say the same. `survival`: what it is a
/// function of.
std::optional<Interval> over_resamples(std::vector<double> const& values, double value, TextEstimate const& survival,
                                       double confidence) {
  auto const n = static_cast<double>(survival.texts()), draws = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (double const x : values) mean += x / draws;
  for (double const x : values) squares += (x - mean) * (x - mean) / draws;
  constexpr double rounding = 1e-12;
  if (std::sqrt(squares) <= rounding * std::max(1., std::abs(mean))) return std::nullopt;
  boost::math::students_t const student(survival.degrees());
  double const radius = quantile(complement(student, (1 - confidence) / 2)) * std::sqrt(squares * n / (n - 1));
  return Interval{value, value - radius, value + radius, confidence, true};
}

/// Of independent rounds in the long run; their errors over resamples of the requests. None where rounds depend on each
/// other, as the error of the assumption is none of sampling, and where a resample does not define the figures.
std::vector<PolicyRow> policies_of(RequestCurve const& curve, Costs const& costs, GammaAsked const& asked,
                                   bool dependent) {
  std::vector<double> values;
  for (TextEstimate const& reached : curve.survival) values.push_back(reached.value);
  auto policies = long_run_policies(values, costs, asked.bonus);
  double const best = curve.rows[curve.best].speedup;
  TextEstimate const& deepest = curve.survival.back();
  if (dependent || deepest.resampled.empty()) return policies;
  std::vector<std::vector<double>> speedups(policies.size()), over(policies.size());
  for (std::size_t b = 0; b < deepest.resampled.size(); ++b) {
    std::vector<double> drawn;
    for (TextEstimate const& reached : curve.survival) drawn.push_back(reached.resampled[b]);
    if (!std::ranges::all_of(drawn, [](double s) { return std::isfinite(s); })) return policies;
    for (double& reached : drawn) reached = std::min(1., reached);
    auto const there = long_run_policies(drawn, costs, asked.bonus);
    for (std::size_t i = 0; i < policies.size(); ++i) {
      speedups[i].push_back(there[i].speedup);
      over[i].push_back(there[i].speedup - curve.speedups[curve.best].resampled[b]);
    }
  }
  for (std::size_t i = 0; i < policies.size(); ++i) {
    policies[i].over_best = over_resamples(over[i], policies[i].speedup - best, deepest, asked.confidence);
    policies[i].interval = over_resamples(speedups[i], policies[i].speedup, deepest, asked.confidence);
  }
  return policies;
}

/// `longest`: the γ whose E[N] the design effect is about.
std::string dependence_words(std::optional<RoundDependence> const& of, std::size_t longest) {
  if (!of) return "Whether rounds of one request depend on each other cannot be tested here.";
  std::string const test = of->permutations > 0
                               ? fmt::format("p = {:.2g} of {} permutations", of->p_value, of->permutations)
                               : fmt::format("p = {:.2g} by chi-square", of->p_value);
  std::string const width = fmt::format(
      "over requests the interval of E[N] at γ = {} is {:.1f} times as wide as that "
      "of independent rounds",
      longest, std::sqrt(of->design_effect));
  if (of->p_value >= dependent_below)
    return fmt::format("That rounds of one request depend on each other is not shown ({}); {}.", test, width);
  if (of->design_effect > 1) return fmt::format("Rounds of one request depend on each other ({}): {}.", test, width);
  return fmt::format(
      "Rounds of one request depend on each other ({}), though this does not widen every interval: {}.", test, width);
}

Json dependence_document(std::optional<RoundDependence> const& of) {
  if (!of) return nullptr;
  return {{"p_value", of->p_value}, {"permutations", of->permutations}, {"design_effect", of->design_effect}};
}

/// `beyond`: whether to say of which γ nothing is known.
std::string size_words(RequestSurvival const& found, bool beyond) {
  std::string words = fmt::format("{} requests, {} rounds", found.requests(), found.pooled.rounds);
  if (beyond && found.unknown) words += fmt::format(", nothing is known beyond γ={}", found.unknown->draft - 1);
  return words;
}

/// Of the γ that are shown the longest may be the last of which anything is known.
std::string unknown_words(RequestSurvival::Unknown const& of) {
  std::string const who = of.requests < 2 ? std::string("a single request")
                                          : fmt::format("{} requests, all at the same rate,", of.requests);
  return fmt::format("Nothing is known beyond γ = {}: {} reached draft {}, from which no error follows.",
                     of.draft - 1, who, of.draft);
}

std::vector<std::string> notes_of(RequestSurvival const& found, std::optional<RoundDependence> const& dependence,
                                  GammaAsked const& asked) {
  std::vector<std::string> notes{dependence_words(dependence, found.survival.size())};
  if (found.unknown) notes.push_back(unknown_words(*found.unknown));
  constexpr std::size_t few = 10;
  notes.push_back(
      fmt::format("Rounds that kept all their drafts are censored there (Kaplan and Meier), as if γ had been chosen "
                  "without regard "
                  "to what would be kept; {:g} % intervals over requests{}.",
                  100 * asked.confidence, found.requests() < few ? "; of so few they may cover less" : ""));
  return notes;
}

void add_without_costs(Result& result, RequestCurve const& curve, RequestSurvival const& found, Costs const& costs,
                       GammaAsked const& asked) {
  std::vector<GammaYield> yields;
  for (std::size_t g = 1; g < curve.rows.size(); ++g) {
    auto const gamma = static_cast<int>(g);
    TextEstimate const even = break_even_cost(curve.tokens[g] + -1., costs, gamma);
    yields.push_back({gamma, curve.rows[g].tokens, even.value,
                      interval_within(curve.tokens[g], asked.confidence, tokens_in_round(gamma, asked.bonus)),
                      delta_interval(even, asked.confidence)});
  }
  add_yield(result.document, yields, asked);
  result.title = fmt::format("{} ({}, nothing is known beyond{})",
                             led_by_size(yield_answer(yields.back()), found.pooled.rounds, nullptr, false),
                             size_words(found, false), batch_words(asked));
  result.sections.push_back(yield_section(yields, asked));
}

}  // namespace

AcceptedCounts accepted_counts(Invocation const& args) {
  constexpr std::size_t longest_name = 255;  // of a part of a path, as Linux has it
  AcceptedCounts counts;
  bool rows = false;
  for (std::string const& word : args.texts("--accepted")) {
    if (is_there(word)) {
      MappedFile const file(word);
      for (auto& row : read_request_counts(word, file.text())) counts.rows.push_back(std::move(row));
      rows = true;
      continue;
    }
    if (word.find('/') != word.npos || word.find_first_not_of("0123456789.,;eEkMG-") != word.npos)
      throw InputError(fmt::format("{}: there is no such file (--accepted takes counts such as 30,20,10,40, or a "
                                   "file with a row of them a request)",
                                   word.size() > longest_name ? in_quotes(word) : word),
                       word.size() > longest_name ? "check the path" : path_hint(word));
    rows = rows || word.find(';') != word.npos;
    for (std::string_view rest = word;;) {
      std::size_t const end = rest.find(';');
      counts.rows.push_back(histogram_of(rest.substr(0, end)));
      if (end == rest.npos) break;
      rest.remove_prefix(end + 1);
    }
  }
  auto const has_rounds = [](auto const& row) {
    return std::ranges::any_of(row, [](auto count) { return count > 0; });
  };
  auto const with_rounds = std::ranges::count_if(counts.rows, has_rounds);
  if (with_rounds == 0)
    throw UsageError("--accepted counts no round (there is nothing to estimate from)", "give counts above 0");
  counts.by_request = rows && with_rounds > 1;
  return counts;
}

bool enough_rounds(std::uint64_t rounds) { return rounds >= fewest_counted; }

std::string led_by_size(std::string const& answer, std::uint64_t rounds, GammaRow const* best, bool intervals) {
  std::string caveat;
  if (!enough_rounds(rounds))
    caveat = fmt::format("Too few rounds to say (fewer than {}).", fewest_counted);
  else if (!best || best->gamma == 0 || !intervals)
    return answer;
  else if (!best->interval)
    caveat = "All requests agree, which gives no interval.";
  else if (best->interval->low <= 1)
    caveat = "No gain is shown: the interval of the speed-up reaches 1 or less.";
  else
    return answer;
  return caveat + " As counted: " + answer;
}

std::vector<std::string> empty_rows_note(RequestCounts const& counts) {
  auto const empty = std::ranges::count_if(
      counts, [](auto const& row) { return std::ranges::none_of(row, [](auto count) { return count > 0; }); });
  if (empty == 0) return {};
  return {fmt::format("{} of {} rows {} no round, and {} left out.", empty, counts.size(),
                      empty == 1 ? "has" : "have", empty == 1 ? "is" : "are")};
}

Result gamma_of_requests(LengthCounts const& requests, PricedRound const& round, GammaAsked const& asked) {
  RequestCounts const counts = all_rows(requests);
  RequestSurvival const found = survival_over_requests(requests, asked.resamples, asked.seed);
  auto const dependence = round_dependence(counts, found, asked.seed);
  bool const dependent = dependence && dependence->p_value < dependent_below;
  RequestCurve curve(found, round.costs, asked);
  auto const rounds = static_cast<double>(found.pooled.rounds);
  std::vector<double> survival;
  for (TextEstimate const& reached : curve.survival) survival.push_back(reached.value);

  Result result{.document = setting_document(round, asked)};
  Json& document = result.document;
  document["estimator"] = "kaplan_meier_requests";
  document["ops_cost"] = asked.ops_cost;
  document["survival"] = survival;
  document["rounds"] = found.pooled.rounds;
  document["requests"] = found.requests();
  document["dependence"] = dependence_document(dependence);
  if (!round.given) {
    add_without_costs(result, curve, found, round.costs, asked);
  } else {
    auto const set = gamma_set(curve.speedups, asked.confidence, asked.seed);
    curve.add_errors(set, asked);
    GammaRow const& best = curve.rows[curve.best];
    auto const near = near_best(speedups_of(curve.rows), asked.near);
    auto const policies = policies_of(curve, round.costs, asked, dependent);
    auto const runner_up = runner_up_in(curve, rounds);
    std::vector<int> members;
    if (set) members.assign(set->members.begin(), set->members.end());
    auto const ranges = ranges_of(members);
    std::optional<Interval> even;
    if (best.gamma > 0)
      even =
          delta_interval(break_even_cost(curve.tokens[curve.best] + -1., round.costs, best.gamma), asked.confidence);

    document["best_gamma"] = best.gamma;
    document["best_speedup"] = best.speedup;
    document["near_best"] = near_document(near);
    document["runner_up"] = runner_up ? runner_up_document(*runner_up, "rounds") : Json();
    document["curve"] = curve_document(curve.rows, asked);
    document["policies"] = policy_document(policies);
    add_set(document, ranges, set ? set->regret : std::nullopt);

    std::string words = answer({best.gamma, best.speedup});
    if (best.interval) words += fmt::format(" [{:.4f}, {:.4f}]", best.interval->low, best.interval->high);
    bool const enough = enough_rounds(found.pooled.rounds);
    if (set && enough) words += "; " + set_words(ranges);
    bool const last = curve.best == found.survival.size();
    EdgeWords const edge = found.unknown ? EdgeWords{} : edge_words(curve.best, found.survival.size());
    words += edge.answer;
    result.title = fmt::format("{} ({}, {}{})", led_by_size(words, found.pooled.rounds, &best, true),
                               size_words(found, last), cost_words(round.costs), batch_words(asked));
    Section section = curve_section(curve.rows, best.gamma, asked);
    if (set && enough) section.notes.push_back(set_sentence(ranges, best.gamma, set->regret, set->confidence));
    section.notes.push_back(near_words(near, asked.near));
    section.notes.insert(section.notes.end(), edge.notes.begin(), edge.notes.end());
    std::optional<double> const cost =
        best.gamma > 0 ? std::optional(break_even_cost(best.tokens - 1, round.costs, best.gamma)) : std::nullopt;
    document["break_even"] = break_even_document({}, cost, even);
    if (cost) section.notes.push_back(pays_words(best.gamma, *cost, even));
    if (runner_up)
      section.notes.push_back(runner_up_words(static_cast<int>(curve.best), *runner_up, rounds, "rounds"));
    result.sections.push_back(std::move(section));
    Section adapting = policy_section(policies, best.speedup);
    adapting.notes.push_back(most_words(curve.survival.size()) + "; rounds taken to be independent" +
                             (dependent ? ", which they are not: no intervals." : "."));
    result.sections.push_back(std::move(adapting));
  }
  Section& first = result.sections.front();
  for (std::string& note : notes_of(found, dependence, asked)) {
    document["notes"].push_back(note);
    first.notes.push_back(std::move(note));
  }
  for (std::string& note : empty_rows_note(counts)) first.notes.push_back(std::move(note));
  add_setting_notes(first, asked, round);
  return result;
}

}  // namespace draftgauge
