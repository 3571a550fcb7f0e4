#include "apps/recording/estimate_document.h"

namespace draftgauge {

Json truncation_document(TokenTrace const& trace) { return {{"top_k", trace.top_k}, {"top_p", trace.top_p}}; }

Json estimate_document(TextEstimate const& estimate, double confidence, Limits const& limits) {
  return interval_document(interval_within(estimate, confidence, limits), estimate.value, confidence);
}

Json bounds_document(TextEstimates::Bounds const& bounds, double confidence) {
  auto const interval = bounded_interval(bounds, confidence);
  return {{"low", interval ? interval->low : bounds.low.value},
          {"high", interval ? interval->high : bounds.high.value}};
}

}  // namespace draftgauge
