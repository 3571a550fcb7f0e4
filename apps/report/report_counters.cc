#include "apps/report/report_counters.h"

#include <fmt/format.h>

#include "analysis/counters/rates.h"
#include "analysis/recordings/text_file.h"
#include "apps/counters/counters_document.h"
#include "apps/gamma/gamma_counters.h"
#include "apps/output/settings_words.h"

namespace draftgauge {
namespace {

Cell number_or_none(std::optional<double> const& value, int decimals) {
  return value ? Cell(Number{*value, decimals}) : Cell();
}

/// The flags in a sentence.
std::string settings_sentence(Json const& settings) {
  std::string flags;
  for (Json const& flag : settings["flags"]) flags += (flags.empty() ? "" : " ") + flag.get<std::string>();
  std::string_view const title = settings_card(settings["engine"].get<std::string>()).title;
  return flags.empty() ? fmt::format("To set in {}: plain decoding, without a draft.", title)
                       : fmt::format("To set in {}: {}", title, flags);
}

}  // namespace

ReportSubject report_of_counters(Invocation const& args, EngineCounters const& counters, GammaAsked const& asked) {
  Result found = gamma_of_counters(args, counters, asked);
  PricedRound const round = RoundCosts(args).of(TokenTrace{});
  CounterRates const rates = counter_rates(counters);
  ReportSubject subject{.name = file_name(counters.file), .costs_given = round.given, .headline = found.title + "."};
  if (rates.tokens_per_round)
    subject.figures.push_back({"tokens in a round", fmt::format("{:.2f}", *rates.tokens_per_round), "as counted"});
  if (rates.alpha)
    subject.figures.push_back({"drafts kept, α", fmt::format("{:.3f}", *rates.alpha), "of those tested"});
  Json const& document = found.document;
  bool const best = document["best_gamma"].is_number_integer();
  auto const gamma = best ? std::optional(document["best_gamma"].get<std::int64_t>()) : ran_length(counters);
  std::optional<double> speedup;
  if (best) {
    speedup = document["best_speedup"].get<double>();
    subject.figures.push_back({"best draft length, γ", fmt::format("{}", *gamma)});
    subject.figures.push_back({"speed-up", fmt::format("{:.2f}×", *speedup)});
  }
  // In the table over all subjects: at the γ that it names.
  std::optional<double> tokens;
  for (Json const& row : document["curve"])
    if (gamma && row["gamma"] == *gamma) tokens = row["mean_tokens"].get<double>();
  subject.words = found.sections.front().notes;
  found.sections.front().notes.clear();
  subject.row = {subject.name,
                 number_or_none(rates.alpha, 4),
                 round.given ? Cell(Number{round.costs.draft, 4}) : Cell(),
                 gamma ? Cell(*gamma) : Cell(),
                 number_or_none(tokens, 3),
                 number_or_none(speedup, 3)};
  if (gamma && !counters.engine.empty()) {
    add_settings(found, counters.engine, ran_length(counters));
    subject.words.push_back(settings_sentence(found.document["settings"]));
    found.sections.pop_back();  // which a page has as that sentence
  }
  subject.sections = std::move(found.sections);
  for (Section& section : subject.sections) section.detail = false;
  subject.document = {{"gamma", std::move(found.document)}};
  return subject;
}

}  // namespace draftgauge
