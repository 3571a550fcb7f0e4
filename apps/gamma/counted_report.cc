#include "apps/gamma/counted_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/choose/alarms.h"
#include "analysis/stats/counted.h"
#include "analysis/texts/text_lead.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/gamma/gamma_yield.h"
#include "apps/recording/sample_words.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// What a choice is of, as far as its words depend on that.
struct CountedOf {
  std::string_view estimator;
  std::optional<std::uint64_t> rounds = {};  ///< none of a survival that is said
  std::vector<std::string> size = {};        ///< what was counted, and how it was taken
  std::size_t known = 0;                     ///< the longest γ that anything is known of, --most or not
  bool says_unknown = false;                 ///< that nothing is known beyond is in `size` and `notes`
  bool leads_with_interval = false;          ///< it is over requests, and so may stand in the answer
  std::string_view set_if = {};              ///< what must hold for the confidence set
  std::vector<std::string> notes = {};   ///< of how it was estimated
  std::vector<std::string> asides = {};  ///< for people alone
  std::optional<NeverAccepted> broken = {};
  bool by_alpha = false;  ///< every γ follows from α by Eq. (1)
};

/// "674 rounds, " before what else stands in brackets.
std::string size_text(CountedOf const& of) {
  std::string words;
  for (std::string const& each : of.size) words += each + ", ";
  return words;
}

std::optional<std::int64_t> ran_of(CountedGamma const& choice) {
  return choice.ran ? std::optional(static_cast<std::int64_t>(*choice.ran)) : std::nullopt;
}

void add_without_costs(GammaAnswer& found, CountedGamma const& choice, CountedOf const& of, GammaAsked const& asked) {
  add_yield(found, choice.yields, asked);
  std::string const words = yield_answer(choice.yields, choice.ran.value_or(choice.yields.size()));
  found.result.title = fmt::format("{} ({}nothing is known beyond{})",
                                   led_by_counts(counts_caveat(of.rounds, nullptr), words), size_text(of),
                                   batch_text(asked));
  found.result.sections.push_back(yield_section(choice.yields, asked));
}

void add_at_costs(GammaAnswer& found, CountedGamma const& choice, CountedOf const& of, Costs const& costs,
                  GammaAsked const& asked) {
  GammaRow const& best = choice.rows[choice.best];
  auto const near_optimal = near_best(choice.speedups(), asked.near_optimal);
  std::vector<GammaRange> const ranges = add_choice(found, choice, near_optimal, asked);
  GammaYield const* const there = yield_of_best(choice);
  bool const enough = !of.rounds || enough_rounds(*of.rounds);
  std::string words = answer({best.gamma, best.speedup});
  if (of.leads_with_interval) words += bounds_text(best.interval);
  if (choice.set && enough) words += "; " + set_text(ranges);
  EdgeWords const edge = of.says_unknown ? EdgeWords{} : edge_text(choice.best, of.known);
  words += edge.answer;
  if (choice.best > 0 && choice.best == choice.survival.size() && choice.best < of.known)
    words += ", the longest of --most";
  found.caveat = counts_caveat(of.rounds, &choice);
  found.result.title = fmt::format("{} ({}{}{})", led_by_counts(found.caveat, words), size_text(of), cost_text(costs),
                                   batch_text(asked));
  Section curve = curve_section(choice.rows, best.gamma, asked, ran_of(choice));
  if (choice.set && enough)
    curve.note(std::string(of.set_if) + set_sentence(ranges, best.gamma, choice.set->regret, choice.set->confidence));
  curve.note(near_text(near_optimal, asked.near_optimal));
  curve.note(edge.notes);
  found.report->note(edge.notes);
  if (there) curve.note(pays_text(best.gamma, there->pays, there->pays_within));
  if (choice.runner_up)
    curve.note(
        runner_up_text(static_cast<int>(choice.best), *choice.runner_up, static_cast<double>(*of.rounds), "rounds"));
  found.result.sections.push_back(std::move(curve));
  if (choice.policies.empty()) return;
  Section adapting = policy_section(choice.policies, best.speedup, best.gamma);
  adapting.note(most_text(choice.survival.size()) + "; rounds taken to be independent.");
  found.result.sections.push_back(std::move(adapting));
}

GammaAnswer answered(CountedGamma const& choice, CountedOf const& of, PricedRound const& round,
                     GammaAsked const& asked) {
  GammaAnswer found{.report = report_of(GammaReport::Of::counts, round, asked, of.estimator),
                    .survival = choice.survival};
  GammaReport& report = *found.report;
  report.survival = choice.survival;
  report.gamma_ran = choice.ran;
  if (round.given)
    add_at_costs(found, choice, of, round.costs, asked);
  else
    add_without_costs(found, choice, of, asked);
  found.too_few = of.rounds && !enough_rounds(*of.rounds);
  if (round.given && !found.too_few) {
    bool const sampled = of.rounds.has_value();
    found.result.alarms = alarms_of(of.broken, choice.rows, speed_of(choice.rows, ran_of(choice), sampled), sampled);
  } else {
    found.result.alarms = alarms_of(of.broken, {}, {});
  }
  Section& first = found.result.sections.front();
  std::vector<std::string> notes = of.notes;
  if (choice.ran && !choice.claims_all()) {
    auto const words = truncated_notes(choice, of.by_alpha);
    notes.insert(notes.begin(), words.begin(), words.end());
  }
  first.note(notes);
  report.note(notes);
  first.note(of.asides);
  add_setting_notes(first, asked, round);
  return found;
}

constexpr char const* censored_words =
    "Rounds that kept all their drafts are censored there (Kaplan and Meier), as if γ had been chosen without regard "
    "to what would be kept";

/// `drawn`: what of the table is of draws.
std::string counts_text(std::string_view drawn, double confidence) {
  if (drawn.empty()) return std::string(censored_words) + ".";
  return fmt::format(
      "{}; {:g} % {} are of draws from the rates' Jeffreys posterior, rounds taken to be independent. Rounds of one "
      "request mostly are not: intervals are then too narrow, by a factor that one histogram does not say. Counts by "
      "request (--accepted FILE, a row a request) do.",
      censored_words, 100 * confidence, drawn);
}

/// Which of the two best γ it is was not asked of so few rounds.
std::string uncompared_text(std::size_t best, RoundsGamma::Uncompared const& of) {
  return fmt::format("γ={} and {} are not compared: {} {} drafted token {} and kept those before it, {} are needed.",
                     std::min(best, of.gamma), of.deeper, of.reached, of.reached == 1 ? "round" : "rounds", of.deeper,
                     fewest_compared);
}

/// That rows without a round are left out; empty where there is none.
std::vector<std::string> empty_rows_note(RequestCounts const& counts) {
  auto const empty = std::ranges::count_if(
      counts, [](auto const& row) { return std::ranges::none_of(row, [](auto count) { return count > 0; }); });
  if (empty == 0) return {};
  return {fmt::format("{} of {} rows {} no round, and {} left out.", empty, counts.size(),
                      empty == 1 ? "has" : "have", empty == 1 ? "is" : "are")};
}

/// `longest`: the γ whose E[N] the design effect is about.
std::string dependence_text(std::optional<RoundDependence> const& of, std::size_t longest) {
  if (!of) return "Whether rounds of one request depend on each other cannot be tested here.";
  std::string const test =
      fmt::format("p-value {} {}", p_value_text(of->p_value),
                  of->permutations > 0 ? fmt::format("of {} permutations", of->permutations) : "by chi-square");
  std::string const width =
      fmt::format("over requests the standard error of E[N] at γ = {} is {:.1f} times that of independent rounds",
                  longest, std::sqrt(of->design_effect));
  if (of->p_value >= dependent_below)
    return fmt::format("That rounds of one request depend on each other is not shown ({}); {}.", test, width);
  if (of->design_effect > 1) return fmt::format("Rounds of one request depend on each other ({}): {}.", test, width);
  return fmt::format(
      "Rounds of one request depend on each other ({}), though this does not make every error larger: {}.", test,
      width);
}

constexpr char const* order_needed_words =
    "So these counts do not say what adapting γ could win. Rounds in their order do (--accepted-rounds FILE).";

/// Of the γ that are shown the longest may be the last of which anything is known.
std::string unknown_text(RequestSurvival::Unknown const& of) {
  std::string const who = of.requests < 2 ? std::string("a single request")
                                          : fmt::format("{} requests, all at the same rate,", of.requests);
  return fmt::format("Nothing is known beyond γ = {}: {} reached draft {}, from which no error follows.",
                     of.draft - 1, who, of.draft);
}

std::vector<std::string> request_notes(RequestsGamma const& found, GammaAsked const& asked) {
  RequestSurvival const& counted = found.counted;
  std::vector<std::string> notes{dependence_text(found.dependence, counted.survival.size())};
  if (counted.unknown) notes.push_back(unknown_text(*counted.unknown));
  constexpr std::size_t few = 10;
  notes.push_back(fmt::format("{}; {:g} % intervals over requests{}.", censored_words, 100 * asked.confidence,
                              counted.requests() < few ? "; of so few they may cover less" : ""));
  return notes;
}

}  // namespace

std::string counts_caveat(std::optional<std::uint64_t> rounds, CountedGamma const* choice) {
  if (rounds && !enough_rounds(*rounds)) return fmt::format("Too few rounds to say (fewer than {}).", fewest_counted);
  if (!rounds || !choice || choice->best == 0 || !choice->has_errors) return {};
  if (!choice->by_chance) return "All that was counted agrees, which gives no interval.";
  return choice->by_chance->low <= 1 ? no_gain_words : "";
}

std::string led_by_counts(std::string const& caveat, std::string const& answer) {
  return led(caveat, answer, "As counted");
}

std::vector<std::string> truncated_notes(CountedGamma const& choice, bool by_alpha) {
  std::size_t const ran = *choice.ran;
  if (!choice.brackets.empty() && choice.bounds_all()) {
    std::vector<std::string> exact, others;
    for (std::size_t gamma = 1; gamma <= choice.brackets.size(); ++gamma)
      (choice.exact(gamma) ? exact : others).push_back(fmt::format("{}", gamma));
    std::vector<std::string> notes;
    if (choice.exact(ran)) exact.pop_back();
    if (!choice.exact(ran))
      notes.push_back(fmt::format("Drafts differed in length, up to γ = {}.", ran));
    else if (exact.empty())
      notes.push_back(fmt::format("γ = {} ran.", ran));
    else
      notes.push_back(fmt::format("γ = {} ran. Its counts give γ = {}, too.", ran, joined(exact)));
    if (!others.empty())
      notes.back() +=
          fmt::format(" The counts bound γ = {}, and the intervals include both bounds.", joined(others));
    notes.emplace_back("This assumes drafts that depend on the text alone, and token verification.");
    return notes;
  }
  if (by_alpha)
    return {
        fmt::format("γ = {} ran. Other draft lengths follow from Eq. (1) and have no confidence interval: they may "
                    "be off either way.",
                    ran)};
  return {fmt::format("γ = {} ran. Shorter drafts are estimated from its rounds, cut short, and have no confidence "
                      "interval.",
                      ran),
          "Where difficulty persists, this underestimates tokens per round: on public texts by up to 18 % (n-gram "
          "drafts) and 6 % (EAGLE). It can also overestimate."};
}

GammaYield const* yield_of_best(CountedGamma const& choice) {
  return choice.best > 0 ? &choice.yields[choice.best - 1] : nullptr;
}

std::vector<GammaRange> add_choice(GammaAnswer& answer, CountedGamma const& choice, std::span<GammaRange const> near,
                                   GammaAsked const& asked) {
  GammaRow const& best = choice.rows[choice.best];
  std::vector<GammaRange> ranges;
  if (choice.set) ranges = ranges_of(std::vector<int>(choice.set->members.begin(), choice.set->members.end()));
  GammaYield const* const there = yield_of_best(choice);
  GammaReport& report = *answer.report;
  report.best_gamma = best.gamma;
  report.best_speedup = best.speedup;
  if (there) report.break_even.cost = Estimated{there->pays, there->pays_within};
  report.near_best.assign(near.begin(), near.end());
  if (choice.runner_up) report.runner_up = RunnerUp{*choice.runner_up, "rounds"};
  report.confidence_set = ranges;
  report.expected_regret = choice.set ? choice.set->regret : std::nullopt;
  report.curve = curve_of(choice.rows, asked.operations());
  report.policies = adapting_of(choice.policies, best.speedup);
  answer.best = best.gamma;
  answer.rows = choice.rows;
  return ranges;
}

GammaAnswer gamma_of_histograms(RequestCounts const& rows, PricedRound const& round, GammaAsked const& asked) {
  RoundsGamma const found = choose_by_rounds(rows, round.costs, asked.counted());
  std::uint64_t const rounds = found.counted.rounds;
  bool const drawn = asked.resamples > 0;
  CountedOf of{.estimator = drawn ? "kaplan_meier_jeffreys" : "kaplan_meier",
               .rounds = rounds,
               .size = {draftgauge::counted(rounds, "round")},
               .known = found.counted.survival.size(),
               .set_if = "Were rounds independent: ",
               .asides = empty_rows_note(rows),
               .broken = never_accepted(found.counted)};
  bool const claimed = drawn && (!round.given || found.choice.claims(found.choice.best));
  if (claimed) of.size.emplace_back("intervals as if they were independent");
  if (round.given && found.uncompared && found.choice.claims_all())
    of.asides.push_back(uncompared_text(found.choice.best, *found.uncompared));
  of.notes = {counts_text(!drawn                            ? ""
                          : round.given && found.choice.set ? "intervals and the set"
                                                            : "intervals",
                          asked.confidence)};
  GammaAnswer answer = answered(found.choice, of, round, asked);
  answer.report->rounds = rounds;
  return answer;
}

GammaAnswer gamma_of_requests(LengthCounts const& requests, PricedRound const& round, GammaAsked const& asked) {
  RequestsGamma const found = choose_by_requests(requests, round.costs, asked.counted());
  RequestSurvival const& counted = found.counted;
  std::uint64_t const rounds = counted.pooled.rounds;
  CountedOf of{.estimator = "kaplan_meier_requests",
               .rounds = rounds,
               .size = {draftgauge::counted(counted.requests(), "request"), draftgauge::counted(rounds, "round")},
               .known = counted.survival.size(),
               .says_unknown = counted.unknown.has_value(),
               .leads_with_interval = true,
               .notes = request_notes(found, asked),
               .asides = empty_rows_note(all_rows(requests)),
               .broken = never_accepted(kaplan_meier(all_rows(requests)))};
  if (found.dependent && round.given) of.notes.emplace_back(order_needed_words);
  if (round.given && counted.unknown && found.choice.best == of.known)
    of.size.push_back(fmt::format("nothing is known beyond γ={}", of.known));
  GammaAnswer answer = answered(found.choice, of, round, asked);
  answer.report->rounds = rounds;
  answer.report->requests = counted.requests();
  answer.report->dependence = found.dependence;
  answer.report->by_request = true;
  return answer;
}

GammaAnswer gamma_of_curve(std::vector<double> survival, PricedRound const& round, GammaAsked const& asked,
                           std::optional<std::size_t> ran) {
  std::size_t const known = survival.size();
  CountedGamma choice = choose_by_survival(std::move(survival), round.costs, asked.counted());
  if (ran) choice.claim_only(*ran);
  return answered(choice, {.estimator = "survival", .known = known}, round, asked);
}

GammaAnswer gamma_of_independent(double alpha, std::optional<Interval> const& within, std::uint64_t rounds,
                                 std::size_t ran, int most, PricedRound const& round, GammaAsked const& asked) {
  CountedGamma choice = choose_by_alpha(alpha, within, most, round.costs, asked.counted());
  choice.claim_only(ran);
  return answered(choice,
                  {.estimator = "survival", .rounds = rounds, .known = choice.survival.size(), .by_alpha = true},
                  round, asked);
}

}  // namespace draftgauge
