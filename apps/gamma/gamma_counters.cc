#include "apps/gamma/gamma_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/counters/estimates.h"
#include "analysis/counters/kept.h"
#include "analysis/counters/rates.h"
#include "apps/counters/count_document.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/gamma_requests.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/gamma/gamma_survival.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// How far Eq. (1) is taken where --most does not say.
constexpr int longest_assumed = 16;

[[noreturn]] void refuse(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  if (!sums.rounds)
    throw InputError(
        fmt::format("{}: {} has no count of rounds (how many tokens does a round draft, and how many rounds were "
                    "there?)",
                    counters.file, counters.format),
        "give the engine's metrics or responses, which count them");
  std::string const most =
      counters.draft_length ? fmt::format(" and may draft {}", *counters.draft_length) : std::string();
  throw InputError(fmt::format("{}: its {} rounds drafted {} tokens{} (how many rounds drafted how far? {} does not "
                               "say it)",
                               counters.file, *sums.rounds, sums.drafted.value_or(0), most, counters.format),
                   counters.draft_length
                       ? "give counters by position or responses with their histograms"
                       : "give counters by position, or the length that the engine was set to with --draft-length");
}

/// Where it is counted which rounds drafted how far, whatever they kept; a share that grows by chance is cut.
std::vector<double> survival_of_drafted(CounterSums const& sums) {
  std::vector<double> survival;
  double before = 1;
  for (std::size_t i = 0; i < std::min(sums.by_position.size(), sums.drafted_by_position.size()); ++i) {
    if (sums.drafted_by_position[i] == 0) break;
    before =
        std::min(before, static_cast<double>(sums.by_position[i]) / static_cast<double>(sums.drafted_by_position[i]));
    survival.push_back(before);
  }
  return survival;
}

constexpr char const* at_least_words =
    "Drafts differ in length, and which rounds drafted how far is not counted: a round that drafted less than i "
    "counts as one that lost draft i. E[N] and S are at least these, most so at the longest γ.";

Result by_what_is_known(EngineCounters const& counters, PricedRound const& round, GammaAsked const& asked,
                        std::vector<std::string>& notes) {
  KeptCounts const kept = kept_counts(counters);
  if (!kept.requests.empty() && !kept.at_least) return gamma_of_requests(kept.requests, round, asked);
  if (!kept.rows.empty()) return gamma_of_histograms(kept.rows, round, asked);
  if (auto survival = survival_of_drafted(counters.sums); !survival.empty()) {
    notes.emplace_back(
        "Of the rounds that drafted so far, how many kept all up to there: as if γ had been chosen without regard to "
        "what would be kept.");
    return gamma_of_curve(std::move(survival), round, asked);
  }
  if (!kept.requests.empty()) {
    notes.emplace_back(at_least_words);
    return gamma_of_requests(kept.requests, round, asked);
  }
  if (auto histogram = kept_by_position(counters.sums); !histogram.empty()) {
    notes.emplace_back(at_least_words);
    return gamma_of_histograms({std::move(histogram)}, round, asked);
  }
  CounterRates const rates = counter_rates(counters);
  if (!rates.alpha) refuse(counters);
  CounterEstimates const found = counter_estimates(counters, asked.confidence);
  notes.push_back(fmt::format(
      "Only totals are counted: α = {:.4f} solves Eq. (1) at {:.4f} tokens per round of {} drafts, and "
      "every γ here follows from it, as if drafts were independent and all as long. Counters by position would say "
      "it.",
      *rates.alpha, *rates.tokens_per_round, *set_length(counters)));
  notes.push_back(over_words(found, asked.confidence));
  return gamma_of_independent(*rates.alpha, found.alpha->interval, static_cast<std::uint64_t>(*counters.sums.rounds),
                              asked.most.value_or(longest_assumed), round, asked);
}

}  // namespace

Result gamma_of_counters(Invocation const& args, EngineCounters const& counters, GammaAsked const& asked) {
  PricedRound const round =
      as_run_by(priced_round(args, cost_given(args), asked), engine_to_price(counters, asked.to_set));
  std::vector<std::string> notes;
  Result result = by_what_is_known(counters, round, asked, notes);
  if (std::string words = never_kept_words(counters); !words.empty()) notes.push_back(std::move(words));
  result.title += fmt::format(" ({})", counters_words(counters));
  add_counters(result.document, counters);
  auto& first = result.sections.front().notes;
  first.insert(first.end(), notes.begin(), notes.end());
  for (std::string& note : notes) result.document["notes"].push_back(std::move(note));
  result.sections.push_back(counts_section(counters));
  result.sections.push_back(rates_section(counters));
  for (std::size_t i = 1; i < result.sections.size(); ++i) result.sections[i].detail = true;
  return result;
}

}  // namespace draftgauge
