#include "analysis/adapting/recorded.h"

#include <algorithm>
#include <cmath>

namespace draftgauge {

RecordedTexts::RecordedTexts(TokenTrace const& trace, TextEstimates const& estimates, EstimatorCard const& by)
    : accepted_(by.kept(estimates)), q_(accepted_.size()) {
  EstimateOptions const& options = estimates.options();
  texts_.most = std::ranges::max(options.gammas);
  texts_.bonus = options.bonus;
  texts_.seed = options.seed;
  for (std::size_t i = 0; i < accepted_.size(); ++i) {
    TextTrace const& text = trace.texts[i];
    AdaptingText recorded{.accepted = accepted_[i]};
    // At temperature 0 q is that of one token, and an engine's draft model is as sure as it is at temperature 1.
    if (trace.temperature != 0.) {
      for (double const log_q : text.log_q) q_[i].push_back(std::exp(log_q));
      recorded.max_q = text.max_q;
      recorded.q = by.drafts_argmax ? recorded.max_q : std::span<double const>(q_[i]);
      recorded.entropy_q = text.entropy_q;
    }
    texts_.requests.push_back({recorded});
  }
}

AdaptingTexts RecordedTexts::at(Costs const& costs, std::int64_t best) const {
  AdaptingTexts texts = texts_;
  texts.costs = costs;
  texts.best = best;
  return texts;
}

}  // namespace draftgauge
