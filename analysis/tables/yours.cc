#include <fmt/format.h>

#include <algorithm>

#include "analysis/tables/cards.h"
#include "analysis/text_speedup.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

std::string_view rule_words(Estimator estimator) {
  switch (estimator) {
    case Estimator::replay_block: return "block";
    case Estimator::replay_argmax: return "argmax draft";
    default: return "token";
  }
}

constexpr Estimator rules[] = {Estimator::replay, Estimator::replay_block, Estimator::replay_argmax};

Cell cell(TextEstimate const& estimate, double confidence) {
  auto const interval = delta_interval(estimate, confidence);
  if (!interval) return Number{estimate.value, 3};
  return Estimate{{interval->value, std::max(0., interval->low), interval->high, interval->confidence, true}, 3};
}

PaperTable make(TableInput const& input) {
  if (input.recordings.empty())
    throw UsageError(
        "the table yours has no recording (it shows what one gives) name its file: draftgauge table yours "
        "data/smollm2/prune2_T1.tsv");
  PaperTable result{"Tokens per round and speed-up along recorded text", {}, {}};
  Table table{{"recording", "recording", Align::left},
              {"temperature", "T"},
              {"rule", "rule", Align::left},
              {"gamma", "γ"},
              {"mean_tokens", "E[N]"},
              {"speedup", "S"},
              {"best", "", Align::left}};
  std::vector<std::string> notes;
  for (TableRecording const& recording : input.recordings)
    for (Estimator const rule : rules) {
      if (std::ranges::find(recording.known, rule) == recording.known.end()) continue;
      auto const best = text_best_gamma(recording.estimates, rule, recording.costs);
      for (int const gamma : input.gammas) {
        TextEstimate const* const tokens = recording.estimates.tokens_per_round(rule, gamma);
        auto const priced = text_speedup(recording.estimates, rule, gamma, recording.costs);
        if (!tokens || !priced) continue;
        bool const is_best = best && best->gamma == gamma;
        table.add({recording.name, recording.temperature ? Cell(Number{*recording.temperature, 2}) : Cell(),
                   std::string(rule_words(rule)), static_cast<std::int64_t>(gamma), cell(*tokens, input.confidence),
                   cell(priced->speedup, input.confidence), is_best ? Cell(std::string("best")) : Cell()});
      }
      if (best && best->gamma == 0)
        notes.push_back(
            fmt::format("{}, {}: plain decoding is faster than every γ shown.", recording.name, rule_words(rule)));
    }
  notes.push_back(fmt::format(
      "Exact replay along the text; {:g} % intervals over texts. best: the best of the γ shown. block: "
      "block verification (arXiv 2403.10444). argmax draft: the draft proposes its likeliest token, which "
      "is kept where it is the target's sample.",
      100 * input.confidence));
  result.parts.push_back({"", std::move(table), std::move(notes)});
  return result;
}

}  // namespace

constinit TableCard const your_recordings{"yours", "a recording: rules × temperatures × γ, with intervals", "", true,
                                          make};

}  // namespace draftgauge
