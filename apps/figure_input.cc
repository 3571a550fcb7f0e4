#include "apps/figure_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "apps/curve_options.h"
#include "apps/recording_options.h"
#include "sim/error.h"
#include "sim/names.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

constexpr char const* shipped[] = {"smollm2/prune2_T1.tsv", "smollm2_prune2_24.safetensors",
                                   "smollm2/paper_T1.jsonl"};
constexpr double standard_cost = .1;  // of a draft step, where nobody says: drawing, not advice
constexpr int longest_draft = 32;

bool looks_like_file(std::string const& word) {
  std::error_code error;
  return word.find_first_of("./") != std::string::npos || fs::exists(word, error);
}

std::vector<std::string> shipped_files() {
  char const* const named = std::getenv("DRAFTGAUGE_DATA");
  fs::path const folder = named && *named ? named : DRAFTGAUGE_DATA;
  std::vector<std::string> files;
  std::error_code error;
  for (char const* name : shipped) {
    if (!fs::exists(folder / name, error))
      throw InputError(
          fmt::format("{} is not there (figures of a recording are drawn of it where none is given) give FILE, or "
                      "set DRAFTGAUGE_DATA to the folder data of draftgauge's source",
                      (folder / name).string()));
    files.push_back(fs::relative(folder / name, error).string());
    if (error || files.back().starts_with("../..")) files.back() = (folder / name).string();
  }
  return files;
}

/// --cost as a list of numbers; empty where it is a file or not given.
std::vector<double> costs_given(Invocation const& args) {
  std::vector<double> costs;
  if (!args.has("--cost") || looks_like_file(args.text("--cost"))) return costs;
  for (Fraction const each : parse_numbers(args.text("--cost"))) costs.push_back(each.to_double());
  return costs;
}

}  // namespace

FigureWords figure_words(std::vector<std::string> const& words) {
  std::vector<std::string_view> known{"all"};
  for (FigureCard const& card : figure_cards()) known.push_back(card.name);
  FigureWords found{{}, {}, false};
  std::vector<std::string_view> asked;
  for (std::string const& word : words) {
    if (std::ranges::find(known, word) != known.end()) {
      asked.push_back(word);
    } else if (looks_like_file(word)) {
      found.files.push_back(word);
    } else {
      throw UsageError(unknown_name("figure", word, known));
    }
  }
  if (asked.empty())
    throw UsageError(
        "no figure is named (one recording serves several) give a name of draftgauge list figures, or all");
  found.all = std::ranges::find(asked, "all") != asked.end();
  for (FigureCard const& card : figure_cards())
    if (found.all || std::ranges::find(asked, card.name) != asked.end()) found.cards.push_back(&card);
  return found;
}

FigureInput figure_input(Invocation const& args, FigureWords& words) {
  FigureInput input{.costs = costs_given(args),
                    .confidence = args.fraction("--confidence").to_double(),
                    .seed = args.seed(),
                    .threads = args.threads()};
  if (args.has("--alpha"))
    for (Fraction const each : args.fractions("--alpha")) input.alphas.push_back(each.to_double());
  if (args.has("--gamma"))
    for (std::int64_t const each : args.counts("--gamma")) input.gammas.push_back(static_cast<int>(each));
  if (std::ranges::none_of(words.cards, &FigureCard::needs_recording)) return input;

  EstimateOptions options{.bonus = !args.has("--no-bonus"), .seed = input.seed};
  options.gammas.resize(longest_draft);
  std::iota(options.gammas.begin(), options.gammas.end(), 1);
  for (int const gamma : input.gammas)
    if (gamma > longest_draft)
      throw UsageError(fmt::format("--gamma {} is out of range for a recording (at most {})", gamma, longest_draft));
  bool const from_file = args.has("--cost") && input.costs.empty();
  RoundCosts const costs(args, from_file             ? args.text("--cost")
                               : input.costs.empty() ? fmt::format("{}", standard_cost)
                                                     : fmt::format("{}", input.costs.front()));
  if (words.files.empty()) words.files = shipped_files();
  for (Recorded& recorded : recordings_from(args, words.files)) {
    std::string const name = recorded.scores.name;
    if (recorded.policy == Policy::off)
      args.warn(
          fmt::format("{}: the text is not a sample of these laws: what is replayed along it is not what the "
                      "target's own text would give",
                      name));
    Costs priced = costs.of(recorded.scores).costs;
    TextEstimates estimates(recorded.scores, options);
    input.recordings.push_back(
        {name, std::move(recorded.scores), std::move(estimates), std::move(priced), std::move(recorded.rows)});
  }
  return input;
}

}  // namespace draftgauge
