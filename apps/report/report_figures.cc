#include "apps/report/report_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <span>

#include "analysis/figures/speedup.h"
#include "apps/cli/commands.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "apps/figure/figure_input.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/report/report_page.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// The command's line with these values, quoted for a shell.
std::string command_line_of(Given given, Command const& command = figure_command()) {
  std::ostream nowhere(nullptr);
  return Invocation(command, std::move(given), nowhere, nullptr).command_line();
}

/// Without what says nothing to this figure, which `figure` refuses.
Given told(FigureCard const& card, Given given) {
  std::ostream nowhere(nullptr);
  bool const cost_is_file = costs_given(Invocation(figure_command(), given, nowhere, nullptr)).empty();
  for (std::string const& option : idle_options(card, cost_is_file)) given.erase(option);
  return given;
}

/// What the page's options say that the command can be told too.
Given shared_options(Invocation const& args, Command const& command) {
  constexpr std::string_view of_the_page[] = {"--output", "--format", "--quiet", "--alpha"};
  Given given;
  for (OptionGroup const& group : all_groups(command))
    for (Option const& option : group.options)
      if (args.wants(option.name) && !contains(of_the_page, option.name))
        given[option.name] = args.texts(option.name);
  return given;
}

/// Those of `figure`.
Given options_of(Invocation const& args) {
  Given given = shared_options(args, figure_command());
  // Where nothing is said of costs, `figure` takes a standard cost, and the page none.
  if (!given.contains("--cost")) given["--cost"] = {"0"};
  return given;
}

/// What `figure` is told to draw each of the page's recordings, in their order.
std::vector<Given> recordings_given(Invocation const& args) {
  std::vector<Given> all;
  for (RecordingFiles const& files : recording_files(args)) {
    Given given = options_of(args);
    given["NAME"] = {files.target};
    if (!files.draft.empty()) given["NAME"].push_back(files.draft);
    if (!files.rows || !args.has("--temperature")) {
      all.push_back(given);
      continue;
    }
    for (double const temperature : numbers_of(args, "--temperature")) {
      given["--temperature"] = {fmt::format("{}", temperature)};
      all.push_back(given);
    }
  }
  return all;
}

/// The figure, unless the input does not say what it shows.
void add(std::vector<PageFigure>& figures, FigureCard const& card, FigureInput const& input, Given given,
         std::string const& suffix) {
  try {
    std::string const name(card.name);
    auto& words = given["NAME"];
    words.insert(words.begin(), name);
    given["--output"] = {name + ".csv"};
    figures.push_back({card.make(input), name + suffix, command_line_of(told(card, std::move(given)))});
  } catch (InputError const&) {
  }
}

/// Drafts laid over each other, in every figure that shows several; the names of these.
std::set<std::string_view> add_overlaid(std::vector<PageFigure>& figures, FigureInput const& input,
                                        std::vector<bool> const& usable, std::vector<Given> const& given) {
  FigureInput all = input;
  all.recordings.clear();
  all.draw_each = true;
  Given words;
  for (std::size_t i = 0; i < input.recordings.size(); ++i) {
    if (!usable[i]) continue;
    all.recordings.push_back(input.recordings[i]);
    std::vector<std::string> files = words["NAME"];
    words = given.at(i);
    files.insert(files.end(), words["NAME"].begin(), words["NAME"].end());
    words["NAME"] = std::move(files);
  }
  std::set<std::string_view> names;
  for (FigureCard const& card : figure_cards()) {
    if (!card.needs_recording) continue;
    try {
      std::size_t const before = figures.size();
      add(figures, card, all, words, "");
      if (figures.size() > before) names.insert(card.name);
    } catch (UsageError const&) {
      // One that shows a single text is drawn of each.
    }
  }
  return names;
}

}  // namespace

std::vector<PageFigure> recording_figures(FigureInput const& input, std::vector<bool> const& usable,
                                          Invocation const& args) {
  std::vector<Given> const given = recordings_given(args);
  std::vector<PageFigure> figures;
  FigureInput one = input;
  std::set<std::string_view> overlaid;
  if (std::ranges::count(usable, true) > 1) overlaid = add_overlaid(figures, input, usable, given);
  for (std::size_t i = 0; i < input.recordings.size(); ++i) {
    if (!usable[i]) continue;
    one.recordings = {input.recordings[i]};
    std::size_t const first = figures.size();
    for (FigureCard const& card : figure_cards())
      if (card.needs_recording && !overlaid.contains(card.name))
        add(figures, card, one, given.at(i), i == 0 ? "" : fmt::format("-{}", i + 1));
    for (PageFigure& each : std::span(figures).subspan(first))
      if (input.recordings.size() > 1) each.figure.title += ": " + input.recordings[i].name;
  }
  return figures;
}

std::vector<PageFigure> theory_figures(FigureInput const& input, std::vector<FigureSetting> const& settings,
                                       Invocation const& args) {
  FigureInput at = input;
  Given given;
  std::set<std::int64_t> best;
  for (FigureSetting const& setting : settings)
    if (setting.cost > 0 && setting.best_gamma > 0) best.insert(setting.best_gamma);
  if (!best.empty()) {
    at.gammas.assign(best.begin(), best.end());
    at.costs = {settings.front().cost};
    given = {{"--gamma", {fmt::format("{}", fmt::join(best, ","))}}, {"--cost", {fmt::format("{}", at.costs[0])}}};
  }
  std::vector<PageFigure> figures;
  for (FigureCard const& card : figure_cards()) {
    switch (card.on_theory_page) {
      case OnTheoryPage::nothing: break;
      case OnTheoryPage::settings: add(figures, card, at, given, ""); break;
      case OnTheoryPage::plane: add(figures, card, input, {}, ""); break;
      case OnTheoryPage::ranks:
        if (!input.trees.of.empty()) add(figures, card, input, options_of(args), "");
    }
  }
  return figures;
}

std::optional<PageFigure> counted_figure(EngineCounters const& counters, PricedRound const& priced,
                                         GammaAsked const& asked, Invocation const& args) {
  if (!priced.given) return std::nullopt;
  CountedAsked of = asked.counted();
  of.thorough = false;
  PricedRound const round = as_counted(priced, counters);
  auto const curve = counted_curve(counters, round.costs, of);
  if (!curve) return std::nullopt;
  Given given = shared_options(args, gamma_command());
  given["--format"] = {"csv"};
  Figure speedup = counted_speedup_figure(*curve, round.costs, of, counters_text(counters));
  std::string const id = speedup.name;
  return PageFigure{std::move(speedup), id, command_line_of(std::move(given), gamma_command())};
}

std::string all_figures_command(Invocation const& args) {
  Given given = options_of(args);
  given["NAME"] = args.texts("FILE");
  given["NAME"].insert(given["NAME"].begin(), "all");
  given["--output"] = {"figures/"};
  return command_line_of(std::move(given));
}

void draw_pictures(std::vector<PageFigure>& figures, DrawingProgress const& told) {
  std::vector<Drawing> drawings;
  for (PageFigure const& each : figures) drawings.push_back({picture_spec(each.figure), "svg"});
  auto pictures = draw(drawings, told);
  for (std::size_t i = 0; pictures && i < figures.size(); ++i) figures[i].svg = std::move((*pictures)[i]);
}

}  // namespace draftgauge
