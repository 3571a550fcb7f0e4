#pragma once
#include <cstdint>
#include <map>
#include <vector>

namespace draftgauge {

std::int64_t sum_of(std::vector<std::int64_t> const& counts);

/// What histograms by draft length ([k][j] rounds that drafted k tokens and kept j) come to together.
struct HistogramSums {
  std::int64_t rounds = 0, drafted = 0;
  std::vector<std::int64_t> kept = {};  ///< [j] rounds that kept j draft tokens, of however many
};
HistogramSums over_lengths(std::map<std::int64_t, std::vector<std::int64_t>> const& histograms);

}  // namespace draftgauge
