#pragma once
#include <vector>

#include "analysis/adapting/policy.h"
#include "analysis/texts/text_estimates.h"

namespace draftgauge {

/// The texts of a recording as policies meet them, a request each, its drafts accepted as an estimator says. Refers to the
/// trace. Domain: the estimator's card has `kept`.
class RecordedTexts {
 public:
  RecordedTexts(TokenTrace const& trace, TextEstimates const& estimates, EstimatorCard const& by);
  RecordedTexts(RecordedTexts const&) = delete;

  /// best: the best fixed γ at these costs.
  AdaptingTexts at(Costs const& costs, std::int64_t best) const;
  /// [text][token] P(a draft there is accepted | text).
  std::vector<std::vector<double>> const& accepted() const { return accepted_; }

 private:
  std::vector<std::vector<double>> accepted_, q_;
  AdaptingTexts texts_;
};

}  // namespace draftgauge
