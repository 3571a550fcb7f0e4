#include "apps/gamma/choice_caveats.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/counters/counter_alarms.h"
#include "analysis/counters/kept.h"
#include "analysis/counters/rates.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/depth_words.h"

namespace draftgauge {
namespace {

constexpr char const* at_least_words =
    "Drafts differ in length, and which rounds drafted how far is not counted: a round that drafted less than i "
    "counts as one that lost draft i. At the longest γ, E[N] and S of rounds that draft are at least these.";

constexpr char const* drafted_words =
    "Of the rounds that drafted so far, how many kept all up to there: as if γ had been chosen without regard to "
    "what would be kept.";

}  // namespace

std::vector<std::string> choice_caveats(EngineCounters const& counters) {
  KeptCounts const kept = kept_counts(counters);
  std::vector<std::string> notes;
  if (kept.at_least)
    notes.emplace_back(at_least_words);
  else if (!kept.survival.empty())
    notes.emplace_back(drafted_words);
  else if (kept.alpha)
    notes.push_back(fmt::format(
        "Only totals are counted: α = {:.4f} solves Eq. (1) at {:.4f} tokens per round of {} drafts, and every γ "
        "here follows from it, as if drafts were independent and all as long. Counters by position would say it.",
        *kept.alpha, *counter_rates(counters).tokens_per_round, *set_length(counters)));
  if (std::string words = unit_text(counters); !words.empty()) notes.push_back(std::move(words));
  if (std::string words = never_accepted_text(counters); !words.empty()) notes.push_back(std::move(words));
  return notes;
}

std::optional<Undrafted> undrafted_caveat(EngineCounters const& counters, std::int64_t gamma, double speedup) {
  auto const undrafted = undrafted_tokens(counters);
  if (!undrafted) return std::nullopt;
  CounterSums const& sums = counters.sums;
  std::int64_t const all = *sums.emitted, others = *undrafted;
  Undrafted found{fmt::format("{} of {} tokens came of steps that drafted nothing, or of prompts: E[N] and S are of "
                              "the {} rounds with drafts.",
                              others, all, *sums.rounds),
                  {}};
  if (gamma > 0) {
    found.speedup =
        static_cast<double>(all) / (static_cast<double>(all - others) / speedup + static_cast<double>(others));
    found.words += fmt::format(" Over all tokens S is {:.4f} at γ = {}, if each of the others took a plain step.",
                               *found.speedup, gamma);
  }
  return found;
}

std::vector<std::string> standing_caveats(CountedChoice::Standing const& standing) {
  CountedCurve const& curve = standing.curve;
  std::vector<std::string> notes;
  if (std::string words = counts_caveat(curve.rounds, &curve); !words.empty()) notes.push_back(std::move(words));
  if (curve.ran && !curve.claims(curve.best))
    for (std::string& note : truncated_notes(curve, curve.by_alpha))
      notes.push_back(std::move(note));
  bool const longest = curve.best > 0 && curve.best + 1 == curve.rows.size();
  if (curve.replayed && longest)
    notes.push_back(still_rises_text(static_cast<std::int64_t>(curve.best)));
  else if (!curve.by_alpha)
    for (std::string& note : edge_text(curve.best, curve.rows.size() - 1).notes) notes.push_back(std::move(note));
  return notes;
}

}  // namespace draftgauge
