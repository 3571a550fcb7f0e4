#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/counters/formats.h"
#include "analysis/engines/engines.h"
#include "analysis/families/text_lookup.h"
#include "analysis/figures/figure.h"
#include "analysis/open/text_cards.h"
#include "analysis/report/field.h"
#include "analysis/tables/paper_table.h"
#include "analysis/texts/estimator.h"
#include "analysis/theory/rule_acceptance.h"
#include "apps/cli/as_typed.h"
#include "apps/cli/invocation.h"
#include "gpu/backends.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/recordings/row_file.h"
#include "sim/schedules/schedules.h"
#include "sim/sources/card.h"
#include "sim/task/record.h"
#include "sim/task/suits.h"
#include "sim/task/task.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

// "lenience=1/2": the parameters with their standard values.
template <class Card>
std::string parameters_of(Card const& card) {
  std::string const call = call_text({card.name, card.parameters}, standard_values(card.parameters));
  return card.parameters.empty() ? std::string() : call.substr(card.name.size() + 1);
}

/// The same of a schedule: "slots=4", or steps by batch size.
std::string standard_of(ScheduleCard const& card) {
  std::string const call = schedule_text(schedule_call(card.name));
  return call.substr(std::min(call.size(), card.name.size() + 1));
}

/// A cell of names, empty where there is none.
Cell names_cell(std::vector<std::string_view> const& names) {
  return names.empty() ? Cell() : Cell(fmt::format("{}", fmt::join(names, ", ")));
}

/// Rules that have the law of this one, with its standard parameters and one draft a position.
template <class Rule>
std::vector<std::string_view> equal_rules(Rule const& rule) {
  std::vector<std::string_view> names;
  for_each_type(Rules(), [&]<class Other>() {
    if (!std::is_same_v<Rule, Other> && same_law<Rule, Other>(rule, 1)) names.push_back(Other::card.name);
  });
  return names;
}

Table rules() {
  Table table{{"name", "name", Align::left},
              {"summary", "summary", Align::left},
              {"lossless", "lossless", Align::left},
              {"many_candidates", "many candidates", Align::left},
              {"drafter", "drafter", Align::left},
              {"parameters", "parameters", Align::left},
              {"acceptance", "acceptance for drafts by", Align::left},
              {"replay", "replay of drafts by", Align::left},
              {"equals", "one draft: the distribution of", Align::left},
              {"source", "source", Align::left}};
  for_each_type(Rules(), [&]<class Rule>() {
    RuleCard const& card = Rule::card;
    std::vector<std::string_view> accepted, replayed;
    for (AcceptanceFormula const& formula : acceptance_formulas())
      if (formula.rule == card.name) accepted.push_back(formula.drafter);
    if constexpr (Replayed<Rule>) replayed.push_back(Rule::Replay::Drafter::card.name);
    table.add({std::string(card.name), std::string(card.summary), card.lossless,
               suits({.rule = std::string(card.name), .shape = {.gamma = 1, .branching = 2}}),
               std::string(card.drafter), parameters_of(card), names_cell(accepted), names_cell(replayed),
               names_cell(equal_rules(rule_with<Rule>(rule_call(card.name).values))), std::string(card.source)});
  });
  return table;
}

/// Name and summary of cards, before what else is said of them.
template <class Cards, class Card = std::ranges::range_value_t<Cards>>
Table list_of(Cards const& cards, Fields<Card> more = {}) {
  more.insert(more.begin(), {{"name", "name", &Card::name}, {"summary", "summary", &Card::summary}});
  return rows_of(more, cards).table();
}

/// A faulty rule, or a schedule that peeks, which has no drafter of its own.
struct ListedFaulty {
  std::string_view name, summary, option;
  std::optional<std::string_view> drafter;
  std::string parameters;
  std::string_view tv, source;
};

Table faulty() {
  std::vector<ListedFaulty> listed;
  for (RuleCard const& card : rule_cards())
    if (card.counterexample)
      listed.push_back({card.name, card.summary, "--rule", card.drafter, parameters_of(card), card.counterexample->distance,
                        card.source});
  for (ScheduleCard const& card : schedule_cards())
    if (card.sight == Sight::tokens)
      listed.push_back(
          {card.name, card.summary, "--schedule", {}, standard_of(card), card.counterexample->distance, card.source});
  auto const shown = [](ListedFaulty const& each) { return Exact{std::string(each.tv)}; };
  return list_of(listed, {{"option", "after", &ListedFaulty::option},
                          {"drafter", "drafter", &ListedFaulty::drafter},
                          {"parameters", "parameters", &ListedFaulty::parameters},
                          {"tv", "TV where it shows", shown},
                          {"source", "met in, or against", &ListedFaulty::source}});
}

Table policies() {
  return list_of(policy_cards(), {{"parameters", "parameters", parameters_of<PolicyCard>},
                                  {"source", "source", &PolicyCard::source}});
}

Table schedules() {
  auto const sees = [](ScheduleCard const& card) { return meaning(card.sight); };
  return list_of(schedule_cards(), {{"sight", "when it is lossless", sees},
                                    {"parameters", "parameters", standard_of},
                                    {"source", "source", &ScheduleCard::source}});
}

Table drafters() { return list_of(drafter_cards()); }
Table lookups() { return list_of(lookup_cards, {{"source", "source", &LookupCard::source}}); }

// "vocab=,exponent=1": a key without a value after it has no standard one.
std::string keys_of(SourceCard const& card) {
  return joined(card.keys, [](KeyCard const& key) { return fmt::format("{}={}", key.name, key.standard); });
}

Table sources() {
  return list_of(source_cards(),
                 {{"laws", "laws", &SourceCard::tables}, {"keys", "keys and their defaults", keys_of}});
}

Table formats() { return list_of(format_cards); }

Table recordings() {
  Table table{{"name", "name", Align::left}, {"summary", "summary", Align::left}, {"gives", "gives", Align::left}};
  for (RowFileCard const& card : row_file_cards())
    table.add({std::string(card.name), std::string(card.summary),
               "α, tokens per round, speed-up; every temperature, truncation and rule"});
  for (TextCard const& card : text_cards()) table.add({card.name, card.summary, as_typed(card.gives)});
  return table;
}

/// A program of an engine, or an engine whose rule is not known.
struct ListedEngine {
  EngineCard const* card;
  EngineRun const* run;
  std::string_view name, summary;
};

std::string otherwise_text(EngineRun const& run) {
  return joined(
      run.otherwise,
      [](RunOtherwise const& each) { return fmt::format("{}, {}: {}", each.rule, each.drafter, each.with); }, "; ");
}

Table engines() {
  std::vector<ListedEngine> listed;
  for (EngineCard const& card : engine_cards()) {
    for (EngineRun const& run : card.runs) listed.push_back({&card, &run, run.name, run.summary});
    if (card.runs.empty()) listed.push_back({&card, nullptr, card.name, card.summary});
  }
  using Row = ListedEngine const&;
  auto const of_run = [](auto member) {
    return [member](Row row) { return row.run ? std::optional(std::invoke(member, *row.run)) : std::nullopt; };
  };
  auto const of_settings = [](auto member) {
    return [member](Row row) {
      return row.card->settings ? std::optional(std::invoke(member, *row.card->settings)) : std::nullopt;
    };
  };
  auto const to_set = [](Row row) { return given(row.card->settings.has_value(), row.card->name); };
  auto const otherwise = [](Row row) {
    return given(row.run && !row.run->otherwise.empty(), row.run ? otherwise_text(*row.run) : std::string());
  };
  return list_of(listed, {{"rule", "rule", of_run(&EngineRun::rule)},
                          {"drafter", "drafter", of_run(&EngineRun::drafter)},
                          {"otherwise", "or, with flags", otherwise},
                          {"lossless", "lossless", of_run(&EngineRun::lossless), {.align = Align::left}},
                          {"extra_draft_passes", "extra draft passes", of_run(&EngineRun::extra_draft_passes)},
                          {"counts", "how it counts", of_run(&EngineRun::counts)},
                          {"source", "source", of_run(&EngineRun::source)},
                          {"for", "--for", to_set},
                          {"versions", "settings of versions", of_settings(&SettingsCard::versions)},
                          {"settings_source", "source of settings", of_settings(&SettingsCard::source)}});
}

/// The engine's name as it writes it; none of a format that any engine's rounds are in.
std::optional<std::string_view> engine_title(CounterFormat const& format) {
  if (format.engine.empty()) return {};
  return engine_card(format.engine).title;
}

Table counters() {
  auto const at_once = [](CounterFormat const& format) { return given(!format.at_once.empty(), format.at_once); };
  return list_of(counter_formats(), {{"engine", "engine", engine_title},
                                     {"versions", "versions", &CounterFormat::versions},
                                     {"at_once", "sequences at once by", at_once}});
}

Table estimators_table() {
  return list_of(estimator_cards(), {{"of_token_rule", "token rule", &EstimatorCard::of_token_rule}});
}

// Of cards alike: tables and figures.
template <class Cards, class Card = std::ranges::range_value_t<Cards>>
Table publications(Cards const& cards) {
  return list_of(cards, {{"needs_recording", "of a recording", &Card::needs_recording, {.align = Align::left}},
                         {"source", "source", &Card::source}});
}
Table tables() { return publications(table_cards()); }
Table figures() { return publications(figure_cards()); }

Table backend_table() { return list_of(backend_names()); }

struct Topic {
  char const* name;
  Table (*table)();
  /// Keys of what a terminal shows in several tables, as a line has no room for all columns; none: all in one.
  std::vector<std::vector<std::string_view>> page = {};
};

// A list that the program has is one line here.
Topic const topics[] = {
    {"rules",
     rules,
     {{"name", "summary", "source"},
      {"name", "drafter", "lossless", "many_candidates", "parameters"},
      {"name", "acceptance", "replay", "equals"}}},
    {"faulty", faulty, {{"name", "summary", "tv"}, {"name", "option", "drafter", "parameters", "source"}}},
    {"drafters", drafters},
    {"lookups", lookups},
    {"policies", policies},
    {"schedules", schedules, {{"name", "summary"}, {"name", "sight", "parameters", "source"}}},
    {"sources", sources},
    {"recordings", recordings},
    {"estimators", estimators_table},
    {"tables", tables},
    {"figures", figures},
    {"engines",
     engines,
     {{"name", "summary", "rule", "drafter", "lossless", "extra_draft_passes"}, {"name", "counts", "source"}}},
    {"counters", counters, {{"name", "summary"}, {"name", "engine", "versions", "at_once"}}},
    {"formats", formats},
    {"backends", backend_table},
};

Result run_list(Invocation const& args) {
  Result result;
  for (Topic const& topic : topics) {
    if (args.has("LIST") && args.text("LIST") != topic.name) continue;
    Table table = topic.table();
    result.document[topic.name] = to_json(table);
    if (args.format() == Format::text && !topic.page.empty()) {
      for (auto const& keys : topic.page)
        result.sections.push_back(
            {.heading = &keys == &topic.page.front() ? topic.name : "", .table = table.only(keys)});
    } else {
      result.sections.push_back({.heading = topic.name, .table = std::move(table)});
    }
  }
  return result;
}

}  // namespace

Command list_command() {
  return {.name = "list",
          .summary = "the names that commands take: rules, sources, recordings, engines, …",
          .description =
              {"Prints one list, or all of them. Backends are those that this build has and this machine can run.",
               "The list of rules says what is known of each beside what it decides: the drafters for which a "
               "position's acceptance has a closed form, those along whose drafts a recorded text tells its rounds, "
               "and the rules whose distribution it has with one draft a position. Nothing stands where nothing is "
               "known: it is then simulated or enumerated."},
          .groups = {{"What is listed",
                      {{.name = "LIST",
                        .kind = Kind::choice,
                        .value = "LIST",
                        .summary = fmt::format("one list: {}; all if not given", fmt::join(names_in(topics), ", ")),
                        .choices = names_in<std::string>(topics)}}}},
          .examples = {{"draftgauge list", "everything that has a name"},
                       {"draftgauge list rules --format csv", "one list"}},
          .run = run_list};
}

}  // namespace draftgauge
