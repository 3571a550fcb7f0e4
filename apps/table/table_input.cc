#include "apps/table/table_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/exact/written_rational.h"
#include "analysis/theory/acceptance.h"
#include "apps/cli/as_typed.h"
#include "apps/cli/written_values.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/recording/measured_recording.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr std::int64_t longest_draft = 256, most_children = 64;

/// Tables that options mean something to.
std::vector<OptionUse> uses(bool cost_is_file) {
  auto const that = [](bool TableShows::* what) {
    return names_where(table_cards(), [what](TableCard const& card) { return card.shows.*what; });
  };
  auto const recorded = names_where(table_cards(), &TableCard::needs_recording);
  auto const of_costs = names_where(table_cards(), [&](TableCard const& card) {
    return card.needs_recording || (card.shows.costs && !cost_is_file);
  });
  return {{{"--alpha"}, that(&TableShows::alphas)},
          {{"--p", "--q", "--candidates"}, that(&TableShows::laws)},
          {{"--cost"}, of_costs},
          {{"--gamma", "--confidence", "--verify-cost", "--overhead", "--cost-target", "--cost-draft", "--no-bonus"},
           recorded},
          {names_in<std::string>(options_of_recordings().options), recorded},
          {names_in<std::string>(fold_options().options), recorded}};
}

/// In their order.
std::vector<double> each_once(std::vector<double> const& numbers) {
  std::vector<double> once;
  std::set<double> met;
  for (double const number : numbers)
    if (met.insert(number).second) once.push_back(number);
  return once;
}

std::vector<Rational> law_from(Invocation const& args, char const* name) {
  std::vector<Rational> law;
  Rational sum = 0;
  for (std::string_view const each : list_parts(args.text(name))) sum += law.emplace_back(parse_rational(each));
  if (sum != 1)
    throw UsageError(fmt::format("{} sums to {} (it is a distribution)", name, sum.str()),
                     "give probabilities that sum to 1, such as .3,.4,.3");
  return law;
}

void read_tables(Invocation const& args, TableInput& input) {
  if (args.has("--p") != args.has("--q"))
    throw UsageError(fmt::format("{} is given without {} (acceptance is of two distributions)",
                                 args.has("--p") ? "--p" : "--q", args.has("--p") ? "--q" : "--p"),
                     "give both");
  if (args.has("--p")) {
    input.p = law_from(args, "--p");
    input.q = law_from(args, "--q");
    if (input.p.size() != input.q.size())
      throw UsageError(fmt::format("--p has {} entries and --q has {} (both are over one vocabulary)", input.p.size(),
                                   input.q.size()),
                       "give as many");
  }
  if (args.has("--candidates"))
    for (std::int64_t const k : args.counts("--candidates"))
      add_once(input.branching, static_cast<int>(at_most("--candidates", k, most_children)));
}

void read_recordings(Invocation const& args, TableWords const& words, TableInput& input) {
  for (std::int64_t const gamma : args.counts("--gamma"))
    add_once(input.gammas, static_cast<int>(at_most("--gamma", gamma, longest_draft, " for a recording")));
  if (input.costs.size() > 1) throw UsageError("--cost is a list (a recording has one cost)", "give one, or a file");
  StudyOptions const options{.confidence = input.confidence,
                             .main_given = true,  // a row for each rule's replay
                             .estimates = EstimateOptions::of_these(input.gammas, !args.has("--no-bonus"))};
  RoundCosts const costs(args);
  for (Recorded& recorded : recordings_from(args, words.files)) {
    std::string const name = recorded.trace.name;
    std::optional<double> const temperature = recorded.trace.temperature;
    PricedRound priced = costs.of(recorded.trace);
    MeasuredRecording measured(std::move(recorded), std::move(priced), options);
    std::vector<Estimator> known;
    for (Estimator const each : estimators())
      if (!each.card->replays.empty() && measured.knows(each)) known.push_back(each);
    std::string caveat =
        known.empty() ? fmt::format("Nothing is known of its rounds: it {}.", measured.why_not(Estimator::replay))
                      : measured.caveat(input.confidence);
    TableRecording found{.name = name,
                         .temperature = temperature,
                         .estimates = std::move(measured.estimates),
                         .known = std::move(known),
                         .costs = measured.costs_given ? std::optional(measured.costs) : std::nullopt,
                         .bonus = options.estimates.bonus,
                         .cost_notes = std::move(measured.cost_notes)};
    if (measured.rejected())
      found.rejected = fmt::format("{} {}", finding_text(measured.text_check), as_typed(cause_text(measured.text_check)));
    else
      found.caveat = std::move(caveat);
    found.fails = measured.unusable();
    found.unseen = unseen_text(measured.text_check);
    input.recordings.push_back(std::move(found));
  }
}

}  // namespace

TableWords table_text(std::vector<std::string> const& words) {
  TableWords found = card_text(words, "table", table_cards(),
                               UsageError("no table is named (a recording alone does not say which)",
                                          "name yours, or one of draftgauge list tables"),
                               "yours");
  if (found.all && found.files.empty()) std::erase_if(found.cards, &TableCard::needs_recording);
  return found;
}

TableInput table_input(Invocation const& args, TableWords const& words) {
  std::vector<double> const costs = costs_given(args);
  require_use(args, "table", uses(args.has("--cost") && costs.empty()), names_of(words.cards));
  TableInput input{.confidence = confidence_from(args)};
  input.costs = each_once(costs);
  if (args.has("--alpha")) input.alphas = each_once(numbers_of(args, "--alpha"));
  require_few("--alpha and --cost",
              std::max<std::size_t>(input.alphas.size(), 1) * std::max<std::size_t>(input.costs.size(), 1));
  read_tables(args, input);
  if (!words.files.empty()) read_recordings(args, words, input);
  return input;
}

}  // namespace draftgauge
