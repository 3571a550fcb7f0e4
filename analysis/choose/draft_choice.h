#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/texts/compare.h"
#include "analysis/texts/study.h"

namespace draftgauge {

/// A draft at its own costs, and at the draft length that is best for it.
struct DraftStanding {
  std::size_t recording;
  int gamma;             ///< 0: plain decoding is faster
  TextEstimate speedup;  ///< S there
  std::optional<Interval> interval = {};
  /// P(best): how likely it is the fastest of all, each at its best γ: the share of draws of all S together, spread as
  /// Student's t is (student_draws). None without draws, below fewest_for_chances texts, or where not all are over the
  /// same texts.
  std::optional<double> p_best = {};
};

/// Which draft to take, of recordings with one each.
struct DraftChoice {
  std::vector<DraftStanding> drafts;   ///< in the recordings' order, without those that do not say
  std::size_t best;                    ///< place in `drafts` of the greatest S
  std::optional<double> plain_p_best;  ///< how likely no draft is faster than plain decoding
  /// S of every pair, as `compare` has them: paired over the same texts, intervals that cover together, Holm's
  /// p-values. They are of S at the lengths that these texts picked, which all lean upwards by as much as picking
  /// gains.
  std::vector<TextComparison> pairs;  ///< first, second: places in `drafts`
};

/// By each study's estimator at its costs. None where fewer than two know their best γ at costs.
std::optional<DraftChoice> choose_draft(std::span<Study const* const> studies, double confidence = .95);

}  // namespace draftgauge
