#pragma once
#include <cstdint>
#include <random>
#include <vector>

namespace draftgauge::testing {

using Counts = std::vector<std::uint64_t>;
using Probabilities = std::vector<double>;

/// Counts of independent draws from the law, by a generator that has nothing to do with ours.
inline Counts draw(Probabilities const& law, int draws, std::mt19937_64& bits) {
  std::discrete_distribution<std::size_t> outcome(law.begin(), law.end());
  Counts counts(law.size());
  for (int i = 0; i < draws; ++i) ++counts[outcome(bits)];
  return counts;
}

}  // namespace draftgauge::testing
