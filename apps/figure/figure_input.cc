#include "apps/figure/figure_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "analysis/recordings/text_file.h"
#include "apps/cli/as_typed.h"
#include "apps/figure/figure_trees.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/load_options.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/output/build.h"
#include "apps/output/shared_files.h"
#include "apps/recording/measured_recording.h"
#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/base/lists.h"
#include "sim/base/printable.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

constexpr char const* shipped[] = {"smollm2/prune2_T1.tsv", "smollm2_prune2_24.safetensors",
                                   "smollm2/paper_T1.jsonl"};
constexpr double standard_cost = .1;  // of leviathan-5 where nobody says: free drafts would not be seen
constexpr int longest_draft = 32;
// Of figures of trees, where nobody says: with verification at no cost the largest tree would always be the best.
Costs const standard_tree_costs{.draft = standard_cost, .verify = {{1, 1.}, {64, 2.26}}, .measured = 64};

std::vector<std::string> shipped_files() {
  char const* const named = std::getenv("DRAFTGAUGE_DATA");
  fs::path const folder = named && *named ? named : shared_file("data", build_data);
  std::vector<std::string> files;
  std::error_code error;
  for (char const* name : shipped) {
    if (!fs::exists(folder / name, error))
      throw InputError(fmt::format("{} is not there (figures of a recording are drawn of it where none is given)",
                                   (folder / name).string()),
                       "give FILE, or set DRAFTGAUGE_DATA to the folder data of draftgauge's source");
    files.push_back(fs::relative(folder / name, error).string());
    if (error || files.back().starts_with("../..")) files.back() = (folder / name).string();
  }
  return files;
}

/// Figures that show what each option says.
std::vector<OptionUse> uses(bool cost_is_file) {
  auto const that = [](bool FigureShows::* what) {
    return names_where(figure_cards(), [what](FigureCard const& card) { return card.shows.*what; });
  };
  auto const either = [](bool FigureShows::* one, bool FigureShows::* other) {
    return names_where(figure_cards(), [=](FigureCard const& card) { return card.shows.*one || card.shows.*other; });
  };
  using Shows = FigureShows;
  auto const recorded = names_where(figure_cards(), &FigureCard::needs_recording);
  return {{{"--alpha"}, that(&Shows::alphas)},
          {{"--gamma"}, that(&Shows::gammas)},
          {{"--cost"}, cost_is_file ? that(&Shows::round_costs) : either(&Shows::costs, &Shows::round_costs)},
          {{"--load", "--load-draft"}, that(&Shows::batches)},
          {{"--verify-cost", "--overhead", "--cost-target", "--cost-draft"}, that(&Shows::round_costs)},
          {{"--no-bonus"}, that(&Shows::bonus)},
          {{"--confidence"}, that(&Shows::intervals)},
          {{"--tree", "--rule"}, that(&Shows::one_tree)},
          {{"--mark-round"}, that(&Shows::mark_round)},
          {{"--source", "--p", "--q", "--drafter", "--depth", "--candidates", "--near"}, that(&Shows::trees)},
          {{"--accept", "--nodes"}, either(&Shows::trees, &Shows::prompts)},
          {names_in<std::string>(options_of_recordings().options), recorded},
          {names_in<std::string>(fold_options().options), recorded}};
}

/// A figure of more lines takes gigabytes to draw, and nobody tells them apart.
void require_lines(std::string_view option, std::size_t entries) {
  if (entries > most_drawn_lines)
    throw UsageError(fmt::format("{} has {} entries (a figure shows at most {})", option, entries, most_drawn_lines),
                     "shorten the list");
}

StudyOptions study_for(FigureInput const& input, bool bonus) {
  StudyOptions options{.confidence = input.confidence, .main_given = true};  // a figure says itself by what
  options.estimates.bonus = bonus;
  options.estimates.seed = input.seed;
  options.estimates.gammas = gammas_to(longest_draft);
  return options;
}

/// The recording as figures are drawn of it; what must be said of it is, once.
void add_recording(FiguresAsked& figures, Invocation const& args, Recorded recorded, RoundCosts const& costs,
                   StudyOptions const& options) {
  // A file's name may be any bytes; a specification's text may not.
  std::string const name = printable(recorded.trace.name);
  PricedRound priced = costs.of(recorded.trace);
  auto ranks = ranks_reader(args, recorded);
  MeasuredRecording measured(std::move(recorded), std::move(priced), options);
  bool const rejected = measured.rejected();
  figures.fails = figures.fails || measured.unusable();
  std::string caveat;
  if (!rejected)
    caveat = measured.caveat(text_lead(measured.estimates, measured.parts.has_value(), {}, options.confidence));
  if (rejected)
    args.warn(fmt::format("{}: {}", name, as_typed(rejection_text(measured.text_check, measured.text_standing))));
  else if (measured.recorded.policy == Policy::off)
    args.warn(
        fmt::format("{}: the text is not a sample of these distributions: what is replayed along it is not what the "
                    "target's own text would give",
                    name));
  figures.input.recordings.push_back({name, std::move(measured.recorded.trace), std::move(measured.estimates),
                                      std::move(measured.costs), std::move(measured.recorded.rows), rejected,
                                      std::move(caveat), std::move(ranks)});
}

}  // namespace

FigureWords figure_text(std::vector<std::string> const& words) {
  return card_text(words, "figure", figure_cards(),
                   UsageError("no figure is named (one recording serves several)",
                              "give a name of draftgauge list figures, or all"),
                   "expected-tokens");
}

std::vector<std::string> idle_options(FigureCard const& card, bool cost_is_file) {
  std::vector<std::string> idle;
  for (OptionUse const& use : uses(cost_is_file))
    if (!contains(use.names, card.name)) idle.insert(idle.end(), use.options.begin(), use.options.end());
  return idle;
}

FiguresAsked figure_input(Invocation const& args, FigureWords& words) {
  std::vector<double> const asked = costs_given(args);
  bool const from_file = args.has("--cost") && asked.empty();
  require_use(args, "figure", uses(from_file), names_of(words.cards));
  FiguresAsked figures{
      .input = {.costs = asked, .confidence = confidence_from(args), .seed = args.seed(), .threads = args.threads()}};
  FigureInput& input = figures.input;
  require_lines("--cost", asked.size());
  if (args.has("--alpha")) {
    input.alphas = numbers_of(args, "--alpha");
    require_lines("--alpha", input.alphas.size());
  }
  if (args.has("--gamma")) {
    require_lines("--gamma", args.counts("--gamma").size());
    for (std::int64_t const each : args.counts("--gamma")) input.gammas.push_back(small_count("--gamma", each));
  }
  if (std::ranges::all_of(words.cards, [](FigureCard const* card) { return card->shows.prompts; }))
    input.prompts = figure_prompts(args);
  if (!args.has("--load")) refuse_without_load(args, {"--load-draft"});
  if (args.has("--load")) {
    std::string const& path = args.text("--load");
    input.load = {printable(file_name(path)), load_at(args, path).costs};
  }
  if (!words.reads()) return figures;
  input.trees = figure_trees(args);
  bool const recorded_trees = input.trees.of.empty();
  if (!recorded_trees && !words.files.empty())
    throw UsageError(
        fmt::format("{} is given beside what trees are drawn of (which of the two counts would be a guess)",
                    words.files.front()),
        "keep one");

  StudyOptions const options = study_for(input, !args.has("--no-bonus"));
  for (int const gamma : input.gammas) at_most("--gamma", gamma, longest_draft, " for a recording");
  if (!words.files.empty() && input.costs.size() > 1)
    throw UsageError(fmt::format("--cost {} is a list (of recordings each has one cost)", args.text("--cost")),
                     "give one, a file, or NAME=C,… for each recording");
  RoundCosts const costs(args, from_file             ? args.text("--cost")
                               : input.costs.empty() ? fmt::format("{}", standard_cost)
                                                     : fmt::format("{}", input.costs.front()));
  if (!args.has("--cost") && !args.has("--verify-cost") && !args.has("--overhead")) {
    input.trees.costs = standard_tree_costs;
  } else if (!recorded_trees) {
    input.trees.costs = costs.of(TokenTrace{}).costs;
  }
  if (!recorded_trees && std::ranges::all_of(words.cards, [](FigureCard const* card) { return card->shows.trees; })) {
    args.refuse({options_of_recordings(), without(fold_options(), {"--temperature"})}, without_recording);
    if (args.has("--accept")) args.refuse({"--temperature"}, without_recording);  // else of the source
    return figures;
  }
  input.draw_each = !words.files.empty();
  if (words.files.empty()) words.files = shipped_files();
  std::vector<Recorded> all = recordings_from(args, words.files);
  costs.require_named(all);
  for (Recorded& recorded : all) add_recording(figures, args, std::move(recorded), costs, options);
  return figures;
}

}  // namespace draftgauge
