#include "analysis/sequence/count_bracket.h"

#include <cstddef>

namespace draftgauge {

std::map<std::int64_t, std::vector<std::int64_t>> histograms_of(std::span<OrderedRounds const> texts) {
  std::map<std::int64_t, std::vector<std::int64_t>> all;
  for (OrderedRounds const& text : texts)
    for (auto const& [accepted, drafted] : text) {
      if (drafted < 1) continue;
      auto& histogram = all[drafted];
      histogram.resize(static_cast<std::size_t>(drafted) + 1);
      ++histogram[static_cast<std::size_t>(accepted)];
    }
  return all;
}

CountBracket count_bracket(std::map<std::int64_t, std::vector<std::int64_t>> const& histograms, std::int64_t gamma) {
  CountBracket found;
  for (auto const& [drafted, rounds] : histograms)
    for (std::size_t k = 0; k < rounds.size(); ++k) {
      auto const accepted = static_cast<std::int64_t>(k);
      std::int64_t const as_rejected = accepted / (gamma + 1) + 1;
      found.tokens += rounds[k] * (accepted + 1);
      found.most_rounds += rounds[k] * as_rejected;
      found.fewest_rounds += rounds[k] * (accepted < drafted ? as_rejected : (drafted + 1) / (gamma + 1));
    }
  return found;
}

}  // namespace draftgauge
