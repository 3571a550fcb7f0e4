#include "apps/options/confidence.h"

#include "analysis/theory/domain.h"
#include "apps/options/number_options.h"

namespace draftgauge {

Option confidence_option(std::string of) {
  return {.name = "--confidence", .kind = Kind::probability, .summary = std::move(of), .standard = "0.95"};
}

double confidence_from(Invocation const& args) {
  double const confidence = number_of(args, "--confidence");
  require_confidence(confidence);
  return confidence;
}

}  // namespace draftgauge
