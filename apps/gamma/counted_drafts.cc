#include "apps/gamma/counted_drafts.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/choose/alarms.h"
#include "analysis/counters/counter_alarms.h"
#include "analysis/counters/difference.h"
#include "analysis/counters/two_lengths.h"
#include "analysis/open/opened.h"
#include "analysis/report/drafts.h"
#include "analysis/texts/text_lead.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "apps/counters/two_lengths_words.h"
#include "apps/gamma/choice_caveats.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/draft_report.h"
#include "apps/options/curve_options.h"
#include "apps/options/named_costs.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// As costs are told which draft they are of.
TokenTrace named(std::string const& file) {
  TokenTrace trace;
  trace.name = file;
  return trace;
}

/// Why there is no P(best): which drafts do not decide anything.
std::string undecided_text(CountedChoice const& choice, std::vector<NamedDraft> const& drafts) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (!choice.drafts[i].curve.decides()) names.push_back(drafts[i].name);
  return joined(names);
}

bool too_few(CountedChoice::Standing const& standing) {
  return standing.curve.rounds && !enough_rounds(*standing.curve.rounds);
}

std::string title_of(CountedChoice const& choice, std::vector<NamedDraft> const& drafts) {
  std::vector<RankedDraft> ranked;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    auto const& each = choice.drafts[i];
    ranked.push_back(
        {drafts[i].name, static_cast<std::int64_t>(each.curve.best), each.speedup(), each.interval(), each.p_best});
  }
  std::string const words = lead_sentence(ranked, choice.best, choice.leads[second_of(ranked, choice.best)]);
  auto const few = std::ranges::find_if(choice.drafts, too_few);
  return few == choice.drafts.end() ? words : led_by_counts(counts_caveat(few->curve.rounds, nullptr), words);
}

/// Broken drafts, whichever leads, before those that are slow, where all are.
std::vector<Alarm> alarms_in(CountedChoice const& choice, std::vector<NamedDraft> const& drafts) {
  std::vector<Alarm> broken, slower;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    for (Alarm& alarm :
         named(counter_alarms(drafts[i].counted.counters, choice.drafts[i].curve.rows), drafts[i].name))
      (alarm.kind == Alarm::Kind::broken ? broken : slower).push_back(std::move(alarm));
  if (choice.drafts[choice.best].curve.best == 0) broken.insert(broken.end(), slower.begin(), slower.end());
  return broken;
}

/// Why P(best) is not said.
std::string no_p_best_text(CountedChoice const& choice, std::vector<NamedDraft> const& drafts) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (CountedCurve const& curve = choice.drafts[i].curve; !curve.claims(curve.best))
      others.push_back(drafts[i].name);
  if (!others.empty())
    return fmt::format("P(best) is not said: the best γ of {} is not the one that ran.", joined(others));
  return fmt::format("P(best) is not said: {} would not decide by itself.", undecided_text(choice, drafts));
}

/// "short and long have", of those with the best one's requests.
std::string paired_names(CountedChoice const& choice, std::vector<NamedDraft> const& drafts) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (choice.paired[i]) names.push_back(drafts[i].name);
  return joined(names) + (names.size() > 1 ? " have" : " has");
}

/// What intervals and P(best) are made of, where any draft has them.
std::vector<std::string> notes_of(CountedChoice const& choice, std::vector<NamedDraft> const& drafts,
                                  double confidence) {
  auto const any = [&](CountedOver over) {
    return std::ranges::any_of(choice.drafts, [&](auto const& each) { return each.curve.over == over; });
  };
  std::string const together =
      choice.drafts.size() > 2 ? fmt::format("; all cover together with {:g} %", 100 * confidence) : "";
  auto const pairs = static_cast<std::size_t>(std::ranges::count(choice.paired, true));
  std::vector<std::string> notes;
  if (pairs > 0)
    notes.push_back(fmt::format("{} the same requests as the best: the difference is taken request by request{}.",
                                paired_names(choice, drafts), together));
  if (pairs + 1 < drafts.size())
    notes.push_back(fmt::format(
        "{} taken to be independent of each other: a difference has its interval of both drafts' own (Zou and "
        "Donner 2008){}. Texts of one run that are easier than the other's are not told from a better draft.",
        pairs > 0 ? "Other runs are" : "Runs are", together));
  if (any(CountedOver::rounds) || any(CountedOver::totals))
    notes.push_back(
        fmt::format("Where intervals are over rounds{} these are taken to be independent; those of one request "
                    "mostly are not, and the intervals are then too narrow.",
                    any(CountedOver::totals) ? ", or of totals as if each kept all of its drafts or none," : ""));
  if (choice.plain_p_best)
    notes.push_back(fmt::format(
        "P(best): the chance that a draft is the fastest at its γ, by Student's t over requests, or else by the "
        "rates' posterior{}.{}",
        plain_wins_text(*choice.plain_p_best), pairs > 0 ? " It takes all runs to be independent." : ""));
  else if (choice.few_requests)
    notes.push_back(few_for_chances("requests"));
  else
    notes.push_back(no_p_best_text(choice, drafts));
  return notes;
}

CountedDraftsReport report_of(CountedChoice const& choice, std::vector<NamedDraft> const& drafts) {
  double const most = choice.drafts[choice.best].speedup();
  bool const plain = choice.drafts[choice.best].curve.best == 0;
  CountedDraftsReport report{given(!plain, drafts[choice.best].name), choice.plain_p_best, {}, {}};
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    CountedChoice::Standing const& of = choice.drafts[i];
    report.standings.push_back({drafts[i].name, drafts[i].counted.costs.draft, static_cast<std::int64_t>(of.curve.best),
                                of.curve.rows[of.curve.best].tokens, Estimated{of.speedup(), of.interval()}, of.p_best,
                                most - of.speedup(), choice.leads[i], i == choice.best, choice.paired[i],
                                std::string(to_string(of.curve.over)), report_of(drafts[i].counted.counters)});
  }
  return report;
}

/// Of two: whether one draft at two draft lengths would count this. If so, and if both cost the same, neither leads.
void add_two_lengths(Result& result, CountedDraftsReport& report, Section& section,
                     std::vector<NamedDraft> const& drafts) {
  if (drafts.size() != 2) return;
  auto const found = compare_lengths(drafts[0].counted.counters, drafts[1].counted.counters);
  if (!found) return;
  std::string const &longer = drafts[found->longer].name, &shorter = drafts[1 - found->longer].name;
  section.note(two_lengths_words(*found, longer, shorter));
  report.two_lengths = TwoLengthsReport{longer, shorter, *found};
  if (found->answer == TwoLengths::Answer::explained &&
      drafts[0].counted.costs.draft == drafts[1].counted.costs.draft)
    result.title = fmt::format(
        "{} and {} count what one draft would at γ={} and γ={}: neither is shown to be the better draft", longer,
        shorter, found->of_gamma, found->gamma);
}

/// Counters that were made at one time are one server's.
void require_several_servers(std::vector<NamedDraft> const& drafts) {
  for (std::size_t i = 0; i < drafts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      EngineCounters const &one = drafts[j].counted.counters, &other = drafts[i].counted.counters;
      if (!same_server(one, other)) continue;
      throw UsageError(fmt::format("{} and {} are scrapes of one server (their counters were made at the same time, "
                                   "and are no two drafts')",
                                   one.file, other.file),
                       "give both without names in --cost, or scrapes of two servers");
    }
}

}  // namespace

bool compares_counters(Invocation const& args) {
  std::vector<std::string> const files = args.texts("FILE");
  return args.has("--cost") && named_costs(args.text("--cost")).size() >= 2 && !files.empty() &&
         std::ranges::all_of(files, holds_counters);
}

std::vector<NamedDraft> counted_drafts(Invocation const& args) {
  auto const costs_by_name = named_costs(args.text("--cost"));
  RoundCosts const costs(args);
  std::map<std::string, std::vector<std::string>> of;
  for (std::string const& file : args.texts("FILE")) {
    static_cast<void>(costs.of(named(file)));  // refuses one that no name is part of
    of[*named_in(costs_by_name, file)].push_back(file);
  }
  DraftLengthsSaid const lengths = draft_lengths_said(args);
  for (auto const& [name, ignored] : lengths.by_name)
    if (!costs_by_name.contains(name))
      throw UsageError(fmt::format("--draft-length names {}, and --cost does not", name),
                       "write the names that --cost has");
  std::vector<NamedDraft> drafts;
  for (auto const& [name, ignored] : costs_by_name) {
    if (!of.contains(name))
      throw UsageError(fmt::format("--cost names {}, of which there are no counters", name),
                       "write a part of the file's name, such as small for small_metrics.txt");
    auto const own = lengths.by_name.find(name);
    EngineCounters counters = counters_of(of[name], own == lengths.by_name.end() ? lengths.all : own->second,
                                          "--draft-length", args.text_given("--draft-key"));
    PricedRound round =
        as_run_by(costs.of(named(of[name].front())), engine_to_price(counters, args.text_given("--for")));
    drafts.push_back({name, {std::move(counters), std::move(round.costs)}, std::move(round.notes)});
  }
  require_several_servers(drafts);
  return drafts;
}

Result compare_counted(Invocation const& args, std::vector<NamedDraft> const& drafts, CountedAsked const& asked) {
  std::vector<CountedDraft> counted;
  for (NamedDraft const& each : drafts) counted.push_back(each.counted);
  CountedChoice const choice = choose_counted(counted, asked);
  CountedDraftsReport report = report_of(choice, drafts);
  Result result{.title = title_of(choice, drafts)};
  Section section{.heading = drafts_heading,
                  .table = described_rows(report.standings).table(),
                  .notes = notes_of(choice, drafts, asked.confidence)};
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    EngineCounters const& counters = drafts[i].counted.counters;
    auto const& standing = choice.drafts[i];
    std::vector<std::string> undrafted;
    if (auto of = undrafted_caveat(counters, static_cast<std::int64_t>(standing.curve.best), standing.speedup()))
      undrafted.push_back(std::move(of->words));
    for (auto const& notes :
         {standing_caveats(standing), choice_caveats(counters), undrafted, drafts[i].notes, counters.notes})
      for (std::string const& note : notes) section.note(drafts[i].name + ": " + note);
  }
  add_two_lengths(result, report, section, drafts);
  result.document = document_of(DraftsByCounters{std::move(report), section.notes});
  result.sections.push_back(std::move(section));
  for (NamedDraft const& each : drafts)
    for (Section details : {counts_section(each.counted.counters), rates_section(each.counted.counters)}) {
      details.detail = true;
      details.notes.clear();
      details.heading = each.name + (details.heading.empty() ? "" : ": " + details.heading);
      result.sections.push_back(std::move(details));
    }
  auto const& best = choice.drafts[choice.best];
  EngineCounters const& counters = counted[choice.best].counters;
  std::string const engine = engine_to_set(args, &counters);
  std::vector<Alarm> const alarms = alarms_in(choice, drafts);
  result.alarms = best.curve.best == 0 ? alarms : counter_alarms(counters, {});
  if (!engine.empty() && too_few(best) && result.alarms.empty())
    add_nothing_to_set(result, engine, too_few_to_set());
  else if (!engine.empty())
    add_settings(result, engine,
                 {.gamma = static_cast<std::int64_t>(best.curve.best),
                  .survival = best.curve.survival,
                  .tokens_per_round = best.curve.rows[best.curve.best].tokens,
                  .draft_kinds = counters.draft_kinds});
  result.alarms = alarms;
  return result;
}

}  // namespace draftgauge
