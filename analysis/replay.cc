#include "analysis/replay.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace draftgauge {

std::vector<double> replayed_rounds(std::span<double const> accept, RoundShape const& shape) {
  if (shape.gamma < 1) {
    throw UsageError(fmt::format("--gamma is {} (a round drafts a token at least) give 1 or more", shape.gamma));
  }
  if (shape.candidates != 1) {
    throw UsageError(fmt::format("--candidates is {} (what a text says of acceptance holds for the token rule, which "
                                 "has one draft a position) give 1",
                                 shape.candidates));
  }
  for (std::size_t t = 0; t < accept.size(); ++t) {
    if (!(accept[t] >= 0 && accept[t] <= 1)) {
      throw UsageError(fmt::format("a of token {} is {} (it is the probability min(1, q/p)) give numbers from 0 to 1",
                                   t + 1, accept[t]));
    }
  }
  auto const gamma = static_cast<std::size_t>(shape.gamma);
  std::vector<double> rounds(accept.size());
  for (std::size_t t = accept.size(); t-- > 0;) {
    auto const from = [&](std::size_t later) { return later < rounds.size() ? rounds[later] : 0; };
    double sum = 1, reached = 1;
    std::size_t const end = std::min(t + gamma, accept.size());
    for (std::size_t i = t; i < end; ++i) {
      sum += reached * (1 - accept[i]) * from(i + 1);
      reached *= accept[i];
    }
    rounds[t] = sum + reached * from(t + gamma + (shape.bonus ? 1 : 0));
  }
  return rounds;
}

Replayed replay(std::span<std::vector<double> const> texts, RoundShape const& shape) {
  Replayed sums;
  for (std::vector<double> const& text : texts) {
    if (text.empty()) continue;
    sums.tokens += static_cast<double>(text.size());
    sums.rounds += replayed_rounds(text, shape).front();
  }
  return sums;
}

}  // namespace draftgauge
