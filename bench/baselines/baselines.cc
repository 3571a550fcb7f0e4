#include "bench/baselines/baselines.h"

#include <algorithm>

namespace draftgauge::bench {

LawPair law_pair(PairTables const& tables, std::uint32_t row) {
  return {tables.target_probabilities(row), tables.draft_probabilities(row)};
}

std::vector<double> residual_of(LawPair const& tables) {
  std::vector<double> residual(tables.p.size());
  for (std::size_t x = 0; x < residual.size(); ++x) residual[x] = std::max(0.0, tables.p[x] - tables.q[x]);
  return residual;
}

RoundCounts::RoundCounts(int gamma, std::size_t vocab, bool with_histograms)
    : accepted(static_cast<std::size_t>(gamma) + 1, 0) {
  if (with_histograms) histograms.assign(accepted.size(), std::vector<std::uint64_t>(vocab, 0));
}

}  // namespace draftgauge::bench
