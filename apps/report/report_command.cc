#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/choose/alarms.h"
#include "analysis/figures/tree_subject.h"
#include "analysis/stats/counted.h"
#include "apps/cli/invocation.h"
#include "apps/cli/version_command.h"
#include "apps/counters/counters_input.h"
#include "apps/figure/figure_trees.h"
#include "apps/gamma/gamma_alpha.h"
#include "apps/gamma/gamma_recording.h"
#include "apps/options/confidence.h"
#include "apps/options/inputs.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/report/report_counters.h"
#include "apps/report/report_figures.h"
#include "apps/report/report_page.h"
#include "apps/report/report_summary.h"
#include "apps/tree/tree_ranks.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr int greatest_most = 64;  ///< the longest draft that the sliders, and a reader, can tell apart

GammaAsked asked_by(Invocation const& args) {
  GammaAsked asked;
  asked.bonus = !args.has("--no-bonus");
  asked.confidence = confidence_from(args);
  asked.resamples = resamples_from(args, "odds");
  asked.seed = args.seed();
  asked.most = count_at_most(args, "--most", greatest_most);
  return asked;
}

void require_use(Invocation const& args) {
  if (args.has("FILE") && args.has("--accept"))
    throw UsageError("--accept is given beside a recording (which of the two says what trees give would be a guess)",
                     "keep one");
  if (args.has("FILE") || args.has("--alpha") || args.has("--accept")) {
    if (args.has("FILE")) return;
    refuse_recorded(args);
    return refuse_sampled(args, args.has("--alpha") ? "--alpha" : "--accept");
  }
  throw UsageError("there is nothing to report on (a page shows recordings, acceptance rates, or both)",
                   "try draftgauge report --alpha .8 --cost .05 -o report.html");
}

std::string title_of(Invocation const& args, std::vector<ReportSubject> const& subjects) {
  if (args.has("--title")) return args.text("--title");
  std::string title = subjects.front().name;
  if (subjects.size() > 1)
    title += fmt::format(" and {} other{}", subjects.size() - 1, subjects.size() > 2 ? "s" : "");
  return title;
}

/// The page in a size that mail takes: where it is larger, the last pictures go, which only readers without scripts
/// see, and then the last figures.
std::string small_html(ReportPage page) {
  constexpr std::size_t most_bytes = 1'500'000;
  std::string html = report_html(page);
  while (html.size() > most_bytes && !page.figures.empty()) {
    auto const last =
        std::find_if(page.figures.rbegin(), page.figures.rend(), [](auto const& each) { return !each.svg.empty(); });
    if (last != page.figures.rend()) {
      last->svg.clear();
    } else {
      page.figures.pop_back();
      ++page.figures_left_out;
    }
    html = report_html(page);
  }
  return html;
}

/// What the best tree gives, beside the best chain.
std::string tree_text(FigureInput const& figures) {
  TreeSubject const subject = tree_subject(figures, "tree");
  SubjectTree const& best = subject.tree();
  if (best.tree.size() == 1) return "No tree of drafts is faster than plain decoding.";
  auto const chain = std::ranges::max_element(subject.chains, {}, &SubjectTree::speedup);
  return fmt::format(
      "Of trees of at most {} nodes the best has {} in {}: {:.2f} tokens a round, {:.2f} times as fast as without a "
      "draft; the best chain {:.2f} times.",
      figures.trees.nodes, best.tree.size(), counted(static_cast<std::uint64_t>(best.tree.depth()), "level"),
      best.tokens, best.speedup, chain->speedup);
}

/// All but the pictures, which take long and only a page shows.
ReportPage page_of(Invocation const& args) {
  require_use(args);
  GammaAsked const asked = asked_by(args);
  StudyOptions const options = study_options(asked, *asked.most);
  RoundCosts const round_costs(args);
  ReportPage page{.command_line = args.command_line(),
                  .version = std::string(program_version()),
                  .confidence = fmt::format("{:g} %", 100 * asked.confidence),
                  .seed = static_cast<std::int64_t>(asked.seed),
                  .most = *asked.most};
  FigureInput figures{.confidence = asked.confidence, .seed = asked.seed, .threads = args.threads()};
  std::vector<bool> usable;
  std::vector<FigureSetting> settings;
  GammaAsked of_counters;
  use_format_cards(args);
  auto const counters = args.has("FILE") ? counters_given(args) : std::nullopt;
  if (counters) {
    require_no_text(args, {recording_options(), fold_options()});
    // As `gamma` does: as far as they say anything, unless it is asked how far.
    of_counters = asked;
    if (!args.has("--most")) of_counters.most.reset();
    page.subjects.push_back(report_of_counters(args, *counters, of_counters));
    auto const ran = ran_length(*counters);
    settings.push_back({round_costs.of(TokenTrace{}).costs.draft, ran.value_or(0)});
  } else if (args.has("FILE")) {
    std::vector<Recorded> all = recordings_from(args);
    round_costs.require_named(all);
    for (Recorded& recorded : all) {
      PricedRound priced = round_costs.of(recorded.trace);
      auto ranks = ranks_reader(args, recorded);
      MeasuredRecording const measured(std::move(recorded), std::move(priced), options);
      page.subjects.push_back(report_of(measured, options, asked));
      usable.push_back(page.subjects.back().usable);
      figures.recordings.push_back({measured.estimates.name(), measured.recorded.trace, measured.estimates,
                                    measured.costs, measured.recorded.rows, false, "", std::move(ranks)});
    }
  }
  if (args.has("--accept")) {
    figures.trees.ranks = given_ranks(args).acceptance.of;
    figures.trees.of = "acceptance by rank " + list_of(figures.trees.ranks);
    figures.trees.costs = round_costs.of(TokenTrace{}).costs;
  }
  if (args.has("--alpha") || args.has("--accept"))
    for (double const alpha :
         args.has("--alpha") ? numbers_of(args, "--alpha") : std::vector<double>{figures.trees.ranks.front()}) {
      PricedRound const priced = round_costs.of(TokenTrace{});
      page.subjects.push_back(report_of(alpha, priced, asked));
      IidRounds const rounds{alpha, priced.costs, asked.bonus};
      settings.push_back({priced.costs.draft, best_of(rounds, asked.most).gamma.value_or(0)});
    }
  if (args.has("--accept")) page.subjects.front().words.push_back(tree_text(figures));
  page.figures = usable.empty() ? theory_figures(figures, settings, args) : recording_figures(figures, usable, args);
  if (counters)
    if (auto own = counted_figure(*counters, round_costs.of(TokenTrace{}), of_counters, args))
      page.figures.insert(page.figures.begin(), std::move(*own));
  page.figures_command = all_figures_command(args);
  page.inputs = inputs_of(args, args.texts("FILE"));
  page.title = title_of(args, page.subjects);
  return page;
}

Result run(Invocation const& args) {
  ReportPage page = page_of(args);
  Result result{.document = {{"title", page.title},
                             {"live", pages_are_live()},
                             {"figures", Json::array()},
                             {"subjects", Json::array()}},
                .inputs = page.inputs,
                .title = page.title};
  if (args.format() == Format::text) {
    Progress bar = args.progress("drawing figures", page.figures.size(), "pictures");
    draw_pictures(page.figures, [&](std::uint64_t done, std::uint64_t) { bar.at(done); });
    result.verbatim = small_html(page);
  }
  for (PageFigure const& each : page.figures) result.document["figures"].push_back(each.figure.name);
  for (ReportSubject& subject : page.subjects) {
    if (subject.fails) result.status = Status::failed;
    auto const alarms = page.subjects.size() > 1 ? named(subject.alarms, subject.name) : subject.alarms;
    result.alarms.insert(result.alarms.end(), alarms.begin(), alarms.end());
    Json document{{"name", subject.name}, {"headline", subject.headline}, {"words", subject.words}};
    document.update(subject.document);
    result.document["subjects"].push_back(std::move(document));
    result.sections.push_back(
        {.heading = subject.name, .paragraphs = {subject.headline}, .notes = std::move(subject.words)});
    std::ranges::move(subject.sections, std::back_inserter(result.sections));
  }
  return result;
}

Option report_accept_option() {
  Option option = accept_option();
  option.summary =
      "in place of a recording: P_r, the share of visits to a node that accept its r-th child, for draft trees; α is "
      "then P1 where --alpha does not say it";
  return option;
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .summary = "one page, as a file, that says what a draft gives: for people, with sliders",
      .description =
          {"An HTML file that needs nothing else, of recordings (FILE…), of acceptance rates (--alpha) at a cost, or "
           "of both: in plain sentences how often drafts are kept, the best γ and what it gains, how surely, what "
           "formulas would miss and whether the text holds up; then figures, tables, and where all of it comes from.",
           "Sliders for α, c, γ, the cost of verification and overhead move the formulas' curves beside the recorded "
           "ones. Without JavaScript everything but the sliders is there. --format text, which is the standard, "
           "gives the page, which a terminal is not shown: -o names its file; md, csv, json and latex give its words "
           "and tables."},
      .groups = {optional_recording_options(),
                 {"What the page shows",
                  {{.name = "--alpha",
                    .kind = Kind::probabilities,
                    .summary = "acceptance rates to show beside, or without, recordings: .8 or .6,.7,.8"},
                   report_accept_option(),
                   {.name = "--title",
                    .kind = Kind::text,
                    .summary = "the page's title; the recording's name if not given"},
                   {.name = "--most",
                    .kind = Kind::count,
                    .summary = "the longest draft that is looked at",
                    .standard = "16",
                    .least = 1},
                   confidence_option(),
                   resamples_option("of the texts, for the odds of each γ")}},
                 curve_options(),
                 counter_options(),
                 fold_options()},
      .examples = {{"draftgauge report data/smollm2/prune2_T1.tsv --cost .1 -o report.html",
                    "a page of one recording"},
                   {"draftgauge report data/smollm2/prune2_T1.tsv data/smollm2/q2k_T1.tsv --cost "
                    "data/smollm2/costs_2threads.jsonl --title Drafts_of_SmolLM2 -o report.html",
                    "two drafts of one target, at measured costs"},
                   {"draftgauge report --alpha .6,.7,.8 --cost .05 -o report.html",
                    "no recording yet: what formulas promise"}},
      .run = run,
      .text_is = "an HTML page"};
}

}  // namespace draftgauge
