#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/texts/request_counts.h"

namespace draftgauge {

/// OrderedRound::drafted where a list of rounds does not say it.
inline constexpr std::int64_t length_unknown = -1;
/// More tokens of all requests together are not replayed: each γ goes through them several times.
inline constexpr std::int64_t most_replayed = std::int64_t{1} << 24;

/// The rounds of each request with a round, of its texts, one behind the other: what a replay needs.
struct OrderedCounts {
  std::vector<std::vector<OrderedRounds>> requests = {};
  std::vector<AcceptedFrom> accepted_from =
      {};                    ///< [request], where the rounds were played along what a file has at every token
  std::string why_not = {};  ///< a sentence, where the requests are empty though some have their rounds listed
};
/// Rounds whose length is unknown drafted what was set, where the counters say so (`draft-length`) and none accepted
/// more. Empty where a request does not list its rounds, or where tokens came of steps that are not listed: rounds on
/// both sides of such a step are no neighbours.
OrderedCounts ordered_counts(EngineCounters const& counters);

/// Counters of rounds by accepted drafts: a row has those that kept 0, 1, … of as many drafts as it has numbers, less one. Rows
/// are requests, or else runs.
EngineCounters counters_of_histograms(RequestCounts const& rows, bool requests);

/// Counters of rounds that drafted as many tokens each and accepted at most as many, in their order.
EngineCounters counters_of_rounds(RequestRounds const& requests, std::int64_t drafted);

}  // namespace draftgauge
