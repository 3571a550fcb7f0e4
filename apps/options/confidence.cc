#include "apps/options/confidence.h"

#include <fmt/format.h>

#include "apps/options/number_options.h"
#include "sim/base/error.h"

namespace draftgauge {

Option confidence_option(std::string of) {
  return {.name = "--confidence", .kind = Kind::probability, .summary = std::move(of), .standard = "0.95"};
}

double confidence_from(Invocation const& args) {
  double const confidence = number_of(args, "--confidence");
  if (!(confidence > 0 && confidence < 1))
    throw UsageError(fmt::format("--confidence is {} (an interval covers the truth with a probability)",
                                 args.text("--confidence")),
                     "give a number between 0 and 1, such as .95");
  return confidence;
}

}  // namespace draftgauge
