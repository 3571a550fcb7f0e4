#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/adapting/policy.h"
#include "analysis/choose/text_gamma.h"
#include "analysis/stats/interval.h"
#include "analysis/texts/study.h"
#include "analysis/theory/draft_policies.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

/// One draft length and what it gives; γ = 0 is plain decoding.
struct GammaRow {
  std::int64_t gamma;
  double tokens, time, speedup;           ///< E[N]; in plain steps of the target; S
  bool guess;                             ///< v(γ + 1) was not measured (Costs::extrapolates)
  std::optional<Interval> interval = {};  ///< of the speed-up
  std::optional<Interval> lead = {};      ///< S of the best γ less S here
  std::optional<double> p_best = {};      ///< how often it is the best under resampling
  std::optional<bool> may_be_best = {};   ///< it is in the confidence set
  std::optional<bool> truncated = {};     ///< it is of longer rounds, cut short; none where no γ ran
};

/// By its E[N].
GammaRow row_of(std::int64_t gamma, double tokens, Costs const& costs);
/// γ = 0 … tokens.size() − 1.
std::vector<GammaRow> rows_of(std::span<double const> tokens, Costs const& costs);
std::vector<double> speedups_of(std::span<GammaRow const> rows);

/// The best of the others than `best`, by the rows' S with its errors over texts or requests; none where there is no
/// other, or where the data do not say how far behind it is. have: how much data there is.
std::optional<GammaRunnerUp> runner_up_in(std::span<GammaRow const> rows, std::size_t best,
                                          std::span<TextEstimate const> speedups, double have);

/// What adapting γ could win: a policy's speed-up, and what it has over the best fixed γ.
struct PolicyRow {
  PolicyWords words;
  double speedup;
  std::optional<double> mean_drafts = {};
  std::optional<Interval> interval = {}, over_best = {};
  std::optional<double> low = {}, high = {};  ///< S, over every way to fill a replay's holes
};
/// Of policies that look at outcomes or at the draft model (analysis/adapting/policies/list.inc), with intervals over
/// requests.
std::vector<PolicyRow> adapting_rows(AdaptingTexts const& texts, std::shared_ptr<TextSample const> const& sample,
                                     double confidence);
/// Of independent rounds, of which renewal_reward and per_round_oracle would be the best fixed γ again.
std::vector<PolicyRow> long_run_policies(std::span<double const> survival, Costs const& costs, bool bonus);

/// Which draft length to set, by a recording.
struct GammaChoice {
  std::vector<GammaRow> rows;              ///< from γ = 0 on, as far as texts are long enough
  std::size_t best;                        ///< its row
  std::vector<GammaRange> near_optimal;    ///< those whose S is near the best's
  std::optional<GammaRunnerUp> runner_up;  ///< the best of the others, where the texts say how far behind it is
  std::vector<PolicyRow> policies;  ///< that adapt γ; empty where the estimator does not say which drafts are kept

  GammaRow const& best_row() const { return rows[best]; }
};

/// By the study's estimator at its costs. near_optimal: the share of the best S that those near it may lose, in
/// [0, 1). None where the study has no costs, its text is rejected, or its estimator is not known (Study::why_not).
std::optional<GammaChoice> choose_gamma(Study const& study, double confidence = .95, double near_optimal = .01);

}  // namespace draftgauge
