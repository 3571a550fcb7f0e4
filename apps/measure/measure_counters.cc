#include "apps/measure/measure_counters.h"

#include <fmt/format.h>

#include "analysis/counters/counter_alarms.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/rates.h"
#include "analysis/report/measured.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/count_document.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/choice_caveats.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

std::string to_string(CountEstimate const& estimate) {
  return fmt::format("{:.4f}{}", estimate.value, bounds_text(estimate.interval));
}

/// What counters say of rounds, and of their price where costs are given and all drafts are as long.
struct CountedRounds {
  CounterEstimates const& found;
  CountEstimate const& tokens;
  PricedRound const& round;
  std::optional<std::int64_t> gamma;
  std::optional<CountEstimate> speedup;
  double confidence;
};

MeasureOfCounters report_of(EngineCounters const& counters, CountedRounds const& of) {
  auto const asked = [&](std::optional<CountEstimate> const& estimate) {
    return estimate ? std::optional(uncertain(*estimate, of.confidence)) : std::nullopt;
  };
  MeasureOfCounters report{.counted = report_of(counters),
                           .mean_tokens = uncertain(of.tokens, of.confidence),
                           .alpha = asked(of.found.alpha),
                           .conditional = {},
                           .gamma = of.gamma,
                           .speedup = asked(of.speedup),
                           .costs = given(of.round.given, of.round.costs),
                           .notes = {}};
  for (CountEstimate const& rate : of.found.conditional)
    report.conditional.push_back(uncertain(rate, of.confidence));
  return report;
}

Section estimates_section(EngineCounters const& counters, CountedRounds const& of) {
  auto const& [found, tokens, round, gamma, speedup, confidence] = of;
  Section section{.table = Table{{"what", "what", Align::left}, {"value", "value"}}};
  section.table.add({"tokens per round, E[N]", count_cell(tokens)});
  if (found.alpha) section.table.add({"α", count_cell(*found.alpha)});
  for (std::size_t i = 0; i < found.conditional.size(); ++i)
    section.table.add({fmt::format("draft {} kept, after those before it", i + 1), count_cell(found.conditional[i])});
  if (speedup) section.table.add({"speed-up S", count_cell(*speedup)});
  section.note(over_text(found, confidence));
  if (!gamma && counters.draft_length)
    section.note(
        fmt::format("Drafts differ in length, up to {}: no speed-up follows of these rounds, as the time of each "
                    "goes with its draft. `draftgauge gamma` says what drafts of one length would give.",
                    *counters.draft_length));
  else if (!gamma)
    section.note(
        "Drafts differ in length, or their lengths are not said: no speed-up follows, as the time of a round goes "
        "with them. --draft-length says it where all were to be as long.");
  else if (!round.given)
    section.note("No costs are given: --cost says what a draft takes, and gives the speed-up.");
  if (speedup) section.note(round.notes);
  section.note(unit_text(counters));
  section.note(never_accepted_text(counters));
  if (auto const undrafted = undrafted_caveat(counters, gamma.value_or(0), speedup ? speedup->value : 1))
    section.note(undrafted->words);
  section.note(counters.notes);
  return section;
}

}  // namespace

Result measure_counters(Invocation const& args, EngineCounters const& counters) {
  double const confidence = confidence_from(args);
  CounterEstimates const found = counter_estimates(counters, confidence, args.seed());
  CountEstimate const& tokens = tokens_per_round_of(counters, found);
  PricedRound const round = as_counted(RoundCosts(args).of(TokenTrace{}), counters);
  auto const gamma = set_length(counters);
  auto const speedup =
      gamma && round.given ? std::optional(over_time(tokens, time_of_round(round.costs, *gamma))) : std::nullopt;

  Result result;
  result.alarms = counter_alarms(counters, round.given ? std::optional(round.costs) : std::nullopt, speedup);
  result.title = fmt::format("{} tokens per round", to_string(tokens));
  if (gamma) result.title += fmt::format(" at γ={}", *gamma);
  if (speedup) result.title += fmt::format(", S={} at {}", to_string(*speedup), cost_text(round.costs));
  result.title += fmt::format(" ({})", counters_text(counters));
  std::string const caveat = counts_caveat(counters.sums.rounds, nullptr);
  result.title = led_by_counts(caveat, result.title);

  CountedRounds const rounds{found, tokens, round, gamma, speedup, confidence};
  MeasureOfCounters report = report_of(counters, rounds);
  Section section = estimates_section(counters, rounds);
  report.notes = section.notes;
  result.document = document_of(report);
  result.sections.push_back(std::move(section));
  if (auto parts = parts_section(counters)) result.sections.push_back(std::move(*parts));
  for (Section details : {counts_section(counters), rates_section(counters)}) {
    details.detail = true;
    result.sections.push_back(std::move(details));
  }
  std::string const engine = engine_to_set(args, &counters);
  if (gamma && !engine.empty() && !caveat.empty() && result.alarms.empty())
    add_nothing_to_set(result, engine, too_few_to_set());
  else if (gamma && !engine.empty())
    add_settings(result, engine,
                 {.gamma = *gamma,
                  .survival = counter_rates(counters).cumulative,
                  .tokens_per_round = tokens.value,
                  .draft_kinds = counters.draft_kinds});
  else
    args.refuse({"--for"}, "has no meaning where drafts differ in length (there is no one length to set)",
                "ask gamma, with --cost");
  return result;
}

}  // namespace draftgauge
