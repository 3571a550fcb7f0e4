#include "apps/report/report_counters.h"

#include <fmt/format.h>

#include "analysis/counters/rates.h"
#include "analysis/recordings/text_file.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_document.h"
#include "apps/gamma/gamma_counters.h"

namespace draftgauge {
namespace {

/// Empty where nothing is to be set.
std::string settings_sentence(EngineSettings const& settings, std::string_view title) {
  if (!settings.off.empty()) return fmt::format("To switch drafting off in {}: {}.", title, settings.off);
  if (settings.flags.empty()) return {};
  return fmt::format("To set in {}: {}", title, fmt::join(settings.flags, " "));
}

}  // namespace

ReportSubject report_of_counters(Invocation const& args, EngineCounters const& counters, GammaAsked const& asked) {
  GammaAnswer found = gamma_of_counters(args, counters, asked);
  Result& result = found.result;
  PricedRound const round = RoundCosts(args).of(TokenTrace{});
  CounterRates const rates = counter_rates(counters);
  ReportSubject subject{.name = file_name(counters.file), .costs_given = round.given, .headline = result.title + "."};
  if (rates.tokens_per_round)
    subject.figures.push_back({"tokens in a round", fmt::format("{:.2f}", *rates.tokens_per_round), "as counted"});
  if (rates.alpha)
    subject.figures.push_back({"drafts kept, α", fmt::format("{:.3f}", *rates.alpha), "of those tested"});
  auto const gamma = found.best ? found.best : ran_length(counters);
  GammaRow const* const row = gamma ? found.row(*gamma) : nullptr;
  std::optional<double> speedup;
  if (found.best) {
    speedup = row->speedup;
    subject.figures.push_back({"best draft length, γ", fmt::format("{}", *gamma)});
    subject.figures.push_back({"speed-up", fmt::format("{:.2f}×", *speedup)});
  }
  subject.words = result.sections.front().notes;
  result.sections.front().notes.clear();
  // In the table over all subjects: at the γ that it names.
  subject.row = {subject.name,
                 cell_of(rates.alpha),
                 cell_of(given(round.given, round.costs.draft)),
                 cell_of(gamma),
                 row ? cell_of(row->tokens, 3) : Cell(),
                 cell_of(speedup, 3)};
  if (gamma && !counters.engine.empty()) {
    EngineSettings const settings = add_settings(found, counters.engine, ran_length(counters));
    if (auto words = settings_sentence(settings, engine_card(counters.engine).title); !words.empty())
      subject.words.push_back(std::move(words));
    result.sections.pop_back();  // which a page has as that sentence
  }
  subject.alarms = std::move(result.alarms);
  subject.sections = std::move(result.sections);
  for (Section& section : subject.sections) section.detail = false;
  subject.document = {{"gamma", std::move(found).printed().document}};
  return subject;
}

}  // namespace draftgauge
