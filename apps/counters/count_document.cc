#include "apps/counters/count_document.h"

namespace draftgauge {

Json count_document(CountEstimate const& estimate, std::optional<double> confidence) {
  if (estimate.interval) return to_json(*estimate.interval);
  return {{"value", estimate.value}, {"low", nullptr}, {"high", nullptr}, {"confidence", or_null(confidence)}};
}

}  // namespace draftgauge
