#include "apps/table_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/acceptance.h"
#include "apps/curve_options.h"
#include "apps/measured_recording.h"
#include "apps/recording_options.h"
#include "sim/error.h"
#include "sim/names.h"

namespace draftgauge {
namespace {

constexpr std::int64_t longest_draft = 256, most_candidates = 64;

bool looks_like_file(std::string const& word) {
  std::error_code error;
  return word.find_first_of("./") != std::string::npos || std::filesystem::exists(word, error);
}

/// Options that some tables take, and which these are.
struct Use {
  std::string_view option;
  std::vector<std::string_view> tables;
};
std::vector<Use> uses() {
  return {{"--alpha", {"reference-grid", "heuristic"}},
          {"--p", {"acceptance"}},
          {"--q", {"acceptance"}},
          {"--candidates", {"acceptance"}},
          {"--gamma", {"yours"}},
          {"--confidence", {"yours"}},
          {"--verify-cost", {"yours"}},
          {"--overhead", {"yours"}},
          {"--no-bonus", {"yours"}},
          {"--temperature", {"yours"}},
          {"--cost", {"reference-grid", "heuristic", "yours"}}};
}

void require_use(Invocation const& args, TableWords const& words) {
  for (Use const& use : uses()) {
    if (!args.has(use.option)) continue;
    bool const taken = std::ranges::any_of(words.cards, [&](TableCard const* card) {
      return std::ranges::find(use.tables, card->name) != use.tables.end();
    });
    if (!taken)
      throw UsageError(fmt::format("{} has no meaning for the tables named (it is for {}) leave it out", use.option,
                                   fmt::join(use.tables, ", ")));
  }
}

std::vector<Rational> law_from(Invocation const& args, char const* name) {
  std::vector<Rational> law;
  Rational sum = 0;
  for (Fraction const each : args.fractions(name)) sum += law.emplace_back(each.num(), each.den());
  if (sum != 1)
    throw UsageError(fmt::format("{} sums to {} (it is a law) give probabilities that sum to 1, such as .3,.4,.3",
                                 name, sum.str()));
  return law;
}

void read_laws(Invocation const& args, TableInput& input) {
  if (args.has("--p") != args.has("--q"))
    throw UsageError(fmt::format("{} is given without {} (acceptance is of two laws) give both",
                                 args.has("--p") ? "--p" : "--q", args.has("--p") ? "--q" : "--p"));
  if (args.has("--p")) {
    input.p = law_from(args, "--p");
    input.q = law_from(args, "--q");
    if (input.p.size() != input.q.size())
      throw UsageError(fmt::format("--p has {} entries and --q has {} (both are over one vocabulary) give as many",
                                   input.p.size(), input.q.size()));
  }
  if (args.has("--candidates"))
    for (std::int64_t const k : args.counts("--candidates")) {
      if (k > most_candidates)
        throw UsageError(fmt::format("--candidates {} is out of range (at most {})", k, most_candidates));
      input.candidates.push_back(static_cast<int>(k));
    }
}

/// --cost as a list of numbers; empty where it is a file, or not given.
std::vector<double> costs_given(Invocation const& args) {
  std::vector<double> costs;
  if (!args.has("--cost")) return costs;
  std::error_code error;
  if (std::filesystem::exists(args.text("--cost"), error)) return costs;
  try {
    for (Fraction const each : parse_numbers(args.text("--cost"))) costs.push_back(each.to_double());
  } catch (Error const& problem) {
    throw UsageError(fmt::format("--cost: {}", problem.what()));
  }
  return costs;
}

void read_recordings(Invocation const& args, TableWords const& words, TableInput& input) {
  for (std::int64_t const gamma : args.counts("--gamma")) {
    if (gamma > longest_draft)
      throw UsageError(fmt::format("--gamma {} is out of range for a recording (at most {})", gamma, longest_draft));
    input.gammas.push_back(static_cast<int>(gamma));
  }
  if (input.costs.size() > 1) throw UsageError("--cost is a list (a recording has one cost) give one, or a file");
  MeasureOptions options{.confidence = input.confidence};
  options.estimates.gammas = input.gammas;
  options.estimates.bonus = !args.has("--no-bonus");
  options.estimates.resamples = 0;
  options.estimates.coin_runs = 0;
  RoundCosts const costs(args);
  for (Recorded& recorded : recordings_from(args, words.files)) {
    std::string const name = recorded.scores.name;
    std::optional<double> const temperature = recorded.scores.temperature;
    PricedRound priced = costs.of(recorded.scores);
    MeasuredRecording measured(std::move(recorded), std::move(priced), options);
    std::vector<Estimator> known;
    for (Estimator const each : estimators)
      if (measured.knows(each)) known.push_back(each);
    input.recordings.push_back({name, temperature, std::move(measured.estimates), std::move(known), measured.costs});
  }
}

}  // namespace

TableWords table_words(std::vector<std::string> const& words) {
  std::vector<std::string_view> known{"all"}, asked;
  for (TableCard const& card : table_cards()) known.push_back(card.name);
  TableWords found;
  for (std::string const& word : words) {
    if (std::ranges::find(known, word) != known.end()) {
      asked.push_back(word);
    } else if (looks_like_file(word)) {
      found.files.push_back(word);
    } else {
      throw UsageError(unknown_name("table", word, known));
    }
  }
  if (asked.empty())
    throw UsageError(
        "no table is named (a recording alone does not say which) name yours, or one of draftgauge list "
        "tables");
  bool const all = std::ranges::find(asked, "all") != asked.end();
  for (TableCard const& card : table_cards())
    if (std::ranges::find(asked, card.name) != asked.end() || (all && !(card.needs_recording && found.files.empty())))
      found.cards.push_back(&card);
  bool const used = std::ranges::any_of(found.cards, &TableCard::needs_recording);
  if (!found.files.empty() && !used)
    throw UsageError(
        fmt::format("{} is given and no table that is made of a recording (nothing would come of it) name "
                    "yours",
                    found.files.front()));
  return found;
}

TableInput table_input(Invocation const& args, TableWords const& words) {
  require_use(args, words);
  TableInput input{.costs = costs_given(args), .confidence = args.fraction("--confidence").to_double()};
  if (!(input.confidence > 0 && input.confidence < 1))
    throw UsageError(fmt::format(
        "--confidence is {} (an interval covers the truth with a probability) give a number between 0 and "
        "1, such as .95",
        args.text("--confidence")));
  if (args.has("--alpha"))
    for (Fraction const each : args.fractions("--alpha")) input.alphas.push_back(each.to_double());
  read_laws(args, input);
  if (!words.files.empty()) read_recordings(args, words, input);
  return input;
}

}  // namespace draftgauge
