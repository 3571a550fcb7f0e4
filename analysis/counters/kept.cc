#include "analysis/counters/kept.h"

#include <algorithm>

#include "analysis/counters/rates.h"

namespace draftgauge {
namespace {

/// Where it is counted which rounds drafted how far, whatever they kept; a share that grows by chance is cut.
std::vector<double> survival_of_drafted(CounterSums const& sums) {
  std::vector<double> survival;
  double before = 1;
  for (std::size_t i = 0; i < std::min(sums.by_position.size(), sums.drafted_by_position.size()); ++i) {
    if (sums.drafted_by_position[i] == 0) break;
    before =
        std::min(before, static_cast<double>(sums.by_position[i]) / static_cast<double>(sums.drafted_by_position[i]));
    survival.push_back(before);
  }
  return survival;
}

}  // namespace

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
    if (reached > above || reached < 0) return {};
    kept.push_back(above - reached);
    above = reached;
  }
  kept.push_back(above);
  return kept;
}

KeptCounts kept_counts(EngineCounters const& counters) {
  LengthCounts by_length, by_position;
  std::size_t requests = 0, longest = 0;
  for (CountedRequest const& request : counters.requests) {
    if (request.sums.rounds == 0 || !are_requests(counters)) continue;
    ++requests;
    if (auto rows = kept_by_length(request.sums); !rows.empty()) by_length.push_back(std::move(rows));
    if (auto row = kept_by_position(request.sums); !row.empty()) {
      longest = std::max(longest, row.size());
      by_position.push_back({std::move(row)});
    }
  }
  // Where one request does not say it, a sample of the others would not be of all.
  if (requests >= 2 && by_length.size() == requests) return {.requests = std::move(by_length)};
  if (auto rows = kept_by_length(counters.sums); !rows.empty()) return {.rows = std::move(rows)};
  if (auto survival = survival_of_drafted(counters.sums); !survival.empty()) return {.survival = std::move(survival)};
  if (requests >= 2 && by_position.size() == requests) {
    for (RequestCounts& rows : by_position) rows.front().resize(longest);
    return {.requests = std::move(by_position), .at_least = true};
  }
  if (auto row = kept_by_position(counters.sums); !row.empty()) return {.rows = {std::move(row)}, .at_least = true};
  return {.alpha = counter_rates(counters).alpha};
}

std::optional<std::int64_t> undrafted_tokens(EngineCounters const& counters) {
  constexpr std::int64_t shortest_text = 5;  // tokens, where nobody counts the requests
  CounterSums const& sums = counters.sums;
  if (!sums.emitted || !sums.rounds || !sums.accepted) return std::nullopt;
  std::int64_t const others = *sums.emitted - *sums.rounds - *sums.accepted;
  bool const known = are_requests(counters) && !counters.requests.empty();
  auto const first = known ? static_cast<std::int64_t>(counters.requests.size()) : *sums.emitted / shortest_text;
  return others > first ? std::optional(others) : std::nullopt;
}

bool along_text(EngineCounters const& counters, KeptCounts const& kept) {
  return !kept.at_least && !undrafted_tokens(counters);
}

}  // namespace draftgauge
