#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace draftgauge {

std::int64_t sum_of(std::vector<std::int64_t> const& counts);

/// What histograms by draft length ([k][j] rounds that drafted k tokens and kept j) come to together.
struct HistogramSums {
  std::int64_t rounds = 0, drafted = 0;
  std::vector<std::int64_t> kept = {};  ///< [j] rounds that kept j draft tokens, of however many
};
HistogramSums over_lengths(std::map<std::int64_t, std::vector<std::int64_t>> const& histograms);

/// [j] of these that are j, up to the most that one is. None where one is beyond most_positions, which no round keeps.
std::optional<std::vector<std::int64_t>> histogram_of(std::span<std::int64_t const> kept);

}  // namespace draftgauge
