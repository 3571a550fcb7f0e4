#include "analysis/texts/eq1_estimate.h"

#include <algorithm>

#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

double expected_tokens_slope(double alpha, int longest) {  // d/dα Σ_{i<L} α^i
  double slope = 0;
  for (int i = longest - 1; i >= 1; --i) slope = slope * alpha + i;
  return slope;
}

}  // namespace

TextEstimate through_eq1(TextEstimate const& alpha, int gamma, bool bonus) {
  auto const longest = static_cast<int>(theory::longest_round(gamma, bonus));
  // A mean of numbers from 0 to 1 may leave that range by a rounding.
  auto const eq1 = [&](double a) { return theory::expected_tokens(std::clamp(a, 0.0, 1.0), gamma, bonus); };
  return alpha.through(eq1, [&](double a) { return expected_tokens_slope(a, longest); });
}

}  // namespace draftgauge
