#pragma once
#include <cstdint>

#include "analysis/recordings/recorded.h"
#include "analysis/trees/rank_acceptance.h"
#include "analysis/trees/text_ranks.h"
#include "sim/sources/source.h"

/// Acceptance by rank of what there is: distributions, or a recording.
namespace draftgauge {

/// Acceptance by rank and where it is from.
struct Ranks {
  RankAcceptance acceptance;
  bool independent = true;  ///< contexts do not depend on what was drafted
};

/// The mean over the source's contexts, each as likely as the others.
Ranks ranks_of(Source const& source, RankDrafts drafts, int branching, std::uint64_t seed);

/// Along a recording's text. Throws InputError where it does not say.
TextRanks text_ranks_of(Recorded const& recorded, RankDrafts drafts, int branching, std::uint64_t seed, int threads,
                        WatchRows const& watch = unwatched);

}  // namespace draftgauge
