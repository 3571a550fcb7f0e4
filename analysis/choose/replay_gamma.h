#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/choose/counted_gamma.h"
#include "analysis/sequence/every_position.h"

namespace draftgauge {

/// Rounds of γ drafts, replayed from the order of the rounds that ran.
struct ReplayedRow {
  std::int64_t gamma;
  double tokens;                         ///< E[N], holes accepted at the rate right after a full round
  std::optional<Interval> within;        ///< over requests
  double low, high;                      ///< E[N], holes all rejected and all accepted
  std::optional<double> truncated = {};  ///< E[N] by the survival of the rounds that ran, cut off; none beyond them
  std::optional<double> replayed = {};   ///< E[N] by the order of the rounds that ran, where more is known than that
};

/// Which γ to set, by the rounds of each request in their order. Holes are tokens that nobody tested: of the text, that
/// behind a full round.
struct ReplayGamma {
  CountedGamma choice = {};                ///< survival is that of a round of the best γ, in the replay
  std::vector<ReplayedRow> replayed = {};  ///< [γ − 1]
  HoleRate holes = {};
  std::int64_t hole_count = 0;
  std::size_t requests = 0;
  std::size_t parts =
      0;  ///< of one request, which errors are over where it has most of the tokens; 0: it has not, or is short
  std::uint64_t rounds = 0, tokens = 0;
  std::int64_t ran = 0;  ///< the longest draft that ran
  bool bounded = false;  ///< a draft was rejected; where none was, nothing is said of longer drafts than ran
  std::optional<DepthTest> depth = {};  ///< where acceptance at every token tells
};

/// The longest γ that is replayed where nobody asks for one is twice what ran, and at most this.
inline constexpr std::int64_t longest_replay = 64;
/// The longest of all, as each one goes through all tokens: a longer one that ran has no row.
inline constexpr int most_replayed_gamma = 256;

/// requests: the rounds of each, of each of its texts. Intervals are over requests; of the rate of holes too. Domain: a
/// round that drafted something. Throws UsageError where `most` is above
/// most_replayed_gamma.
/// accepted_from: [request], of one text each that the rounds were played along. E[N] of each γ is then exact, up to the longest
/// draft that anything is known of, and no policies are said.
ReplayGamma choose_by_replay(std::vector<std::vector<OrderedRounds>> const& requests, Costs const& costs,
                             CountedAsked const& asked, std::span<AcceptedFrom const> accepted_from = {});

/// Rounds of γ drafts in the replay of others, with a bonus token. Domain as above.
struct ReplayedRounds {
  TextEstimate tokens, first;  ///< E[N], and P(the first draft is kept); errors are over requests
  double low, high;            ///< E[N], holes all rejected and all accepted
};
ReplayedRounds replayed_rounds(std::vector<std::vector<OrderedRounds>> const& requests, std::int64_t gamma);

}  // namespace draftgauge
