#include "analysis/load/shared_rounds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/load/text_rounds.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

constexpr double most_steps = 2e8;
constexpr double none_left = 1e-15;  ///< of the chance that a text is not written yet

}  // namespace

std::optional<double> rounds_of_longest(std::span<double const> survival, std::int64_t gamma, std::int64_t batch,
                                        std::int64_t tokens, bool bonus) {
  if (gamma == 0) return static_cast<double>(tokens);
  std::vector<double> const chances = tokens_in_round(survival, gamma, bonus);
  auto const length = static_cast<std::size_t>(tokens);
  if (static_cast<double>(tokens) * static_cast<double>(tokens) * static_cast<double>(chances.size()) > most_steps)
    return std::nullopt;
  std::vector<double> written(length), next(length);  // [t] P(t tokens are written, and the text is not done)
  written[0] = 1;
  double expected = 0;
  for (std::int64_t round = 0; round < tokens; ++round) {
    double left = 0;
    for (double const chance : written) left += chance;
    if (left < none_left) break;
    expected += -std::expm1(static_cast<double>(batch) * std::log1p(-std::min(left, 1.)));
    std::ranges::fill(next, 0.);
    for (std::size_t t = 0; t < length; ++t)
      for (std::size_t k = 1; k < chances.size() && t + k < length; ++k) next[t + k] += written[t] * chances[k];
    written.swap(next);
  }
  return expected;
}

}  // namespace draftgauge
