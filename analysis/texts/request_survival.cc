#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "analysis/texts/request_counts.h"
#include "sim/base/error.h"
#include "sim/base/limits.h"

namespace draftgauge {
namespace {

/// Errors of a rate that only those of `reached` > 0 tell of, in the place of all.
void weigh(TextEstimate& rate, std::vector<double> const& reached) {
  double const all = std::accumulate(reached.begin(), reached.end(), 0.);
  for (std::size_t r = 0; r < reached.size(); ++r)
    rate.influence[r] *= std::sqrt((1 - rate.sample->leverage(r)) / (1 - reached[r] / all));
  std::vector<double> there;
  std::ranges::copy_if(reached, std::back_inserter(there), [](double rounds) { return rounds > 0; });
  rate.most_degrees = TextSample(std::move(there), 0, 0).degrees();
}

}  // namespace

RequestCounts all_rows(LengthCounts const& requests) {
  RequestCounts rows;
  for (RequestCounts const& request : requests) rows.insert(rows.end(), request.begin(), request.end());
  return rows;
}

LengthCounts one_length_each(RequestCounts const& counts) {
  LengthCounts requests;
  for (auto const& row : counts) requests.push_back({row});
  return requests;
}

RequestSurvival survival_over_requests(LengthCounts const& requests, std::size_t resamples, std::uint64_t seed) {
  RequestSurvival result{kaplan_meier(all_rows(requests)), {}};
  std::size_t const depth = result.pooled.survival.size();
  if (requests.size() > most_request_positions / std::max<std::size_t>(depth, 1))
    throw UsageError(
        fmt::format("{} requests with drafts of up to {} tokens are too many (at most {} requests times tokens are "
                    "held)",
                    requests.size(), depth, most_request_positions),
        "give fewer requests, or drafts of fewer tokens");
  std::size_t shortest = depth;
  std::vector<double> rounds;
  std::vector<std::vector<double>> reached(depth), kept(depth);
  for (RequestCounts const& request : requests) {
    double all = 0;
    std::size_t longest = 0;
    std::vector<double> reached_of(depth), kept_of(depth);
    for (auto const& row : request) {
      auto at = static_cast<double>(std::accumulate(row.begin(), row.end(), std::int64_t{0}));
      if (at == 0) continue;
      all += at;
      longest = std::max(longest, row.size() - 1);
      for (std::size_t i = 0; i < std::min(depth, row.size() - 1);
           ++i) {  // drafted token i + 1, and kept all before it
        reached_of[i] += at;
        kept_of[i] += at -= static_cast<double>(row[i]);
      }
    }
    if (all == 0) continue;
    rounds.push_back(all);
    shortest = std::min(shortest, longest);
    for (std::size_t i = 0; i < depth; ++i) {
      reached[i].push_back(reached_of[i]);
      kept[i].push_back(kept_of[i]);
    }
  }
  auto const sample = std::make_shared<TextSample const>(std::move(rounds), resamples, seed);
  TextEstimate survived = certain(1, sample);
  for (std::size_t i = 0; i < depth; ++i) {
    if (result.pooled.reached[i] == 0) {  // behind a draft that was never kept
      result.survival.push_back(survived);
      continue;
    }
    TextEstimate rate = mean_over_texts(kept[i], sample) / mean_over_texts(reached[i], sample);
    if (i >= shortest) {
      auto const there = std::ranges::count_if(reached[i], [](double rounds_there) { return rounds_there > 0; });
      if (there < 2 || rate.texts_agree()) {
        result.unknown = {i + 1, static_cast<std::size_t>(there)};
        break;
      }
      weigh(rate, reached[i]);
    }
    survived = survived * rate;
    result.survival.push_back(survived);
  }
  for (auto* each : {&result.pooled.reached, &result.pooled.rejected}) each->resize(result.survival.size());
  result.pooled.survival.resize(result.survival.size());
  return result;
}

std::vector<TextEstimate> tokens_over_requests(std::span<TextEstimate const> survival, bool bonus) {
  std::vector<TextEstimate> tokens{certain(1, survival.front().sample)};
  TextEstimate sum = tokens.front(), before = sum;
  for (TextEstimate const& reached : survival) {
    before = sum;
    sum = sum + reached;
    tokens.push_back(bonus ? sum : before);
  }
  return tokens;
}

}  // namespace draftgauge
