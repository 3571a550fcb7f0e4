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
  KeptCounts kept{.rows = kept_by_length(counters.sums)};
  LengthCounts by_length, by_position;
  std::size_t requests = 0, longest = 0;
  for (CountedRequest const& request : counters.requests) {
    if (request.sums.rounds == 0) continue;
    ++requests;
    if (auto rows = kept_by_length(request.sums); !rows.empty()) by_length.push_back(std::move(rows));
    if (auto row = kept_by_position(request.sums); !row.empty()) {
      longest = std::max(longest, row.size());
      by_position.push_back({std::move(row)});
    }
  }
  // Where one request does not say it, a sample of the others would not be of all.
  if (requests < 2) return kept;
  if (by_length.size() == requests) {
    kept.requests = std::move(by_length);
  } else if (by_position.size() == requests && kept.rows.empty()) {
    for (RequestCounts& rows : by_position) rows.front().resize(longest);
    kept.requests = std::move(by_position);
    kept.at_least = true;
  }
  return kept;
}

}  // namespace draftgauge
