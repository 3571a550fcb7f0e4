#include "analysis/choose/draft_choice.h"

#include <algorithm>

#include "analysis/texts/text_errors.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

/// S of γ = 0, which is plain decoding, and of every γ that is known.
std::vector<TextEstimate> speedups_of(Study const& of) {
  std::vector<TextEstimate> all;
  for (int const gamma : of.gammas())
    if (auto priced = of.speedup_at(gamma)) {
      if (all.empty()) all.push_back(certain(1, priced->speedup.sample));
      all.push_back(std::move(priced->speedup));
    }
  return all;
}

bool all_same_texts(std::span<TokenTrace const* const> trace) {
  return std::ranges::all_of(trace, [&](TokenTrace const* each) { return same_texts(*trace.front(), *each); });
}

/// How often each has the fastest γ; last, how often none is faster than plain decoding.
std::vector<double> chances(std::vector<std::vector<TextEstimate>> const& speedups, EstimateOptions const& options) {
  std::vector<TextEstimate> all;
  for (auto const& of_draft : speedups) all.insert(all.end(), of_draft.begin(), of_draft.end());
  std::vector<double> won(speedups.size() + 1);
  for (std::vector<double> const& draw : student_draws(all, options.resamples, options.seed)) {
    std::vector<double> best;
    auto at = draw.begin();
    for (auto const& of_draft : speedups) {
      auto const end = at + static_cast<std::ptrdiff_t>(of_draft.size());
      best.push_back(std::max(1., *std::max_element(at, end)));
      at = end;
    }
    std::size_t const fastest = smallest_best(best);
    ++won[best[fastest] > 1 ? fastest : speedups.size()];
  }
  for (double& each : won) each /= static_cast<double>(options.resamples);
  return won;
}

}  // namespace

std::optional<DraftChoice> choose_draft(std::span<Study const* const> studies, double confidence) {
  DraftChoice choice{{}, 0, {}, {}};
  std::vector<std::vector<TextEstimate>> speedups;
  std::vector<TokenTrace const*> trace;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    Study const& of = *studies[i];
    TextBestGamma const* const best = of.best_at_costs();
    auto all = best ? speedups_of(of) : std::vector<TextEstimate>();
    if (all.empty()) continue;
    auto const there = of.speedup_at(best->gamma);  // none at γ = 0
    DraftStanding standing{i, best->gamma, there ? there->speedup : all.front()};
    if (there) standing.interval = interval_within(there->speedup, confidence, there->speedup_limits);
    choice.drafts.push_back(std::move(standing));
    speedups.push_back(std::move(all));
    trace.push_back(&of.recorded.trace);
  }
  if (choice.drafts.size() < 2) return std::nullopt;
  std::vector<double> values;
  std::vector<TextEstimate const*> figures;
  for (DraftStanding const& each : choice.drafts) {
    values.push_back(each.speedup.value);
    figures.push_back(&each.speedup);
  }
  choice.best = smallest_best(values);
  EstimateOptions const& estimated = studies.front()->estimates.options();
  if (estimated.resamples > 0 && trace.front()->texts.size() >= fewest_for_chances && all_same_texts(trace)) {
    std::vector<double> const won = chances(speedups, estimated);
    for (std::size_t i = 0; i < choice.drafts.size(); ++i) choice.drafts[i].p_best = won[i];
    choice.plain_p_best = won.back();
  }
  choice.pairs = compare(trace, figures, confidence);
  return choice;
}

}  // namespace draftgauge
