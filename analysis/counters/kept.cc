#include "analysis/counters/kept.h"

#include <algorithm>

namespace draftgauge {

RequestCounts kept_by_length(CounterSums const& sums) {
  RequestCounts rows;
  for (auto const& [length, histogram] : sums.histograms)
    if (length > 0 && std::ranges::any_of(histogram, [](std::int64_t count) { return count > 0; }))
      rows.push_back(histogram);
  return rows;
}

std::vector<std::int64_t> kept_by_position(CounterSums const& sums) {
  if (!sums.rounds || sums.by_position.empty()) return {};
  std::vector<std::int64_t> kept;
  std::int64_t above = *sums.rounds;
  for (std::int64_t const reached : sums.by_position) {
    if (reached > above) return {};
    kept.push_back(above - reached);
    above = reached;
  }
  kept.push_back(above);
  return kept;
}

KeptCounts kept_counts(EngineCounters const& counters) {
  KeptCounts kept;
  std::size_t requests = 0;
  for (CountedRequest const& request : counters.requests) {
    auto const rows = kept_by_length(request.sums);
    if (rows.empty() && request.sums.rounds.value_or(1) > 0) {
      // Of this one nothing is known by length, so that a sample of the others would not be of all.
      return {kept_by_length(counters.sums), false, false};
    }
    requests += !rows.empty();
    kept.lengths_pooled = kept.lengths_pooled || rows.size() > 1;
    kept.rows.insert(kept.rows.end(), rows.begin(), rows.end());
  }
  kept.by_request = requests > 1 && !kept.lengths_pooled;
  if (!kept.by_request) kept.rows = kept_by_length(counters.sums);
  return kept;
}

}  // namespace draftgauge
