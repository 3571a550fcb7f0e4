#include <fmt/format.h>

#include <algorithm>

#include "analysis/tables/cards.h"
#include "analysis/texts/text_limits.h"
#include "analysis/texts/text_speedup.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

Cell cell(TextEstimate const& estimate, double confidence, Limits const& limits) {
  auto const interval = interval_within(estimate, confidence, limits);
  return interval ? Cell(Estimate{*interval, 3}) : Cell(Number{estimate.value, 3});
}

/// Of one γ alone nothing is the best.
bool compares(TableInput const& input) { return input.gammas.size() > 1; }

std::string rule_words(EstimatorCard const& card) {
  return fmt::format("{}{}", card.replays, card.drafts_argmax ? " draft" : "");
}

/// A line for each rule that the recording says something about and each γ.
void add_rows(Table& table, std::vector<std::string>& notes, TableRecording const& recording, TableInput const& input,
              bool marked) {
  bool const priced = recording.costs && recording.rejected.empty();
  for (Estimator const rule : recording.known) {
    auto const best = priced ? text_best_gamma(recording.estimates, rule, *recording.costs) : std::nullopt;
    for (int const gamma : input.gammas) {
      TextEstimate const* const tokens = recording.estimates.tokens_per_round(rule, gamma);
      if (!tokens) continue;
      std::vector<Cell> row{recording.name, recording.temperature ? Cell(Number{*recording.temperature, 2}) : Cell(),
                            rule_words(*rule.card), static_cast<std::int64_t>(gamma),
                            cell(*tokens, input.confidence, tokens_in_round(gamma, recording.bonus))};
      auto const round = priced ? text_speedup(recording.estimates, rule, gamma, *recording.costs) : std::nullopt;
      row.push_back(round ? cell(round->speedup, input.confidence, round->speedup_limits) : Cell());
      if (compares(input)) row.push_back(best && best->gamma == gamma ? Cell(std::string("best")) : Cell());
      if (marked) row.push_back(recording.rejected.empty() ? Cell() : Cell(std::string("rejected")));
      table.add(std::move(row));
    }
    if (best && best->gamma == 0)
      notes.push_back(
          fmt::format("{}, {}: plain decoding is faster than {}.", recording.name, rule_words(*rule.card),
                      compares(input) ? std::string("every γ shown") : fmt::format("γ = {}", input.gammas.front())));
  }
}

void say_costs(std::vector<std::string>& notes, TableRecording const& recording, TableInput const& input) {
  for (std::string const& note : recording.cost_notes) add_once(notes, note);
  if (!recording.costs) return;
  std::vector<int> guessed;
  for (int const gamma : input.gammas)
    if (recording.costs->extrapolates(gamma + 1)) guessed.push_back(gamma);
  if (!guessed.empty())
    add_once(notes, fmt::format("{}: v(γ+1) is a guess beyond what was measured at γ = {}.", recording.name,
                                fmt::join(guessed, ", ")));
}

/// What a reader must know before any figure of it.
std::string lead(TableRecording const& recording) {
  if (!recording.rejected.empty())
    return fmt::format("{}: rejected, no figure of it is to be used. {} ", recording.name, recording.rejected);
  return recording.caveat.empty() ? std::string() : fmt::format("{}: {} ", recording.name, recording.caveat);
}

PaperTable make_yours(TableInput const& input) {
  if (input.recordings.empty())
    throw UsageError("the table yours has no recording (it shows what one gives)",
                     "name its file: draftgauge table yours data/smollm2/prune2_T1.tsv");
  bool const marked =
      std::ranges::any_of(input.recordings, [](TableRecording const& one) { return !one.rejected.empty(); });
  std::vector<Column> columns{{"recording", "recording", Align::left},
                              {"temperature", "T"},
                              {"rule", "rule", Align::left},
                              {"gamma", "γ"},
                              {"mean_tokens", "E[N]"},
                              {"speedup", "S"}};
  if (compares(input)) columns.push_back({"best", "", Align::left});
  if (marked) columns.push_back({"text_check", "text", Align::left});
  Table table(std::move(columns));
  std::vector<std::string> notes;
  std::string title;
  bool intervals = false;
  for (TableRecording const& recording : input.recordings) {
    title += lead(recording);
    intervals |= recording.estimates.texts() > 1;
    add_rows(table, notes, recording, input, marked);
    say_costs(notes, recording, input);
    if (!recording.unseen.empty()) add_once(notes, recording.unseen);
  }
  notes.push_back(fmt::format(
      "Exact replay along the text{}.{} block: block verification (arXiv 2403.10444). argmax draft: the draft model "
      "proposes its most likely token, which is kept where it is the target's sample.",
      intervals ? fmt::format("; {:g} % intervals over texts", 100 * input.confidence) : std::string(),
      compares(input) ? " best: the greatest S of the γ shown, and of plain decoding; its neighbours may be as good."
                      : ""));
  return {title + "Tokens per round and speed-up along recorded text", {{"", std::move(table), std::move(notes)}}};
}

}  // namespace

constinit TableCard const your_recordings{"yours", "a recording: rules × temperatures × γ, with intervals", "", true,
                                          make_yours};

}  // namespace draftgauge
