#include "apps/counters/count_document.h"

#include <fmt/format.h>

namespace draftgauge {

Json count_document(CountEstimate const& estimate, std::optional<double> confidence) {
  return interval_document(estimate.interval, estimate.value, confidence);
}

Cell count_cell(CountEstimate const& estimate, int decimals) {
  return estimate.interval ? Cell(Estimate{*estimate.interval, decimals}) : Cell(Number{estimate.value, decimals});
}

std::string over_text(CounterEstimates const& found, double confidence) {
  switch (found.over) {
    case CountedOver::requests:
      if (found.tokens_per_round && !found.tokens_per_round->interval)
        return fmt::format("The {} requests do not differ: nothing says how far off tokens per round are.",
                           found.requests);
      return fmt::format("{:g} % intervals over {} requests{}.", 100 * confidence, found.requests,
                         found.requests < 10 ? "; of so few they may cover less" : "");
    case CountedOver::rounds:
      return fmt::format(
          "{:g} % intervals take rounds to be independent. Those of one request mostly are not: the intervals are "
          "then too narrow. Counters by request would say by how much.",
          100 * confidence);
    case CountedOver::stretches:
      return fmt::format(
          "{:g} % intervals over the lines of the log, each a mean of some steps, as if lines were independent.",
          100 * confidence);
    case CountedOver::totals:
      return fmt::format(
          "{:g} % intervals take rounds to be independent, and to differ as much as any of this mean can: all drafts "
          "kept, or none. Those of one request mostly are not independent: the intervals are then too narrow. "
          "Counters by request, or by position, would say more.",
          100 * confidence);
    case CountedOver::parts:  // which no estimate of counts is over
    case CountedOver::nothing: break;
  }
  return "Sums alone have no interval: counters by request, or by position, would.";
}

}  // namespace draftgauge
