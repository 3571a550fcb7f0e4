#pragma once
#include <string>
#include <vector>

#include "analysis/choose/rank_acceptance.h"
#include "analysis/choose/text_ranks.h"
#include "analysis/recordings/recorded.h"
#include "apps/invocation.h"
#include "sim/sources/source.h"

/// Acceptance by rank, as options and recordings say it, for commands that choose or show trees.
namespace draftgauge {

/// Acceptance by rank and where it is from.
struct Ranks {
  RankAcceptance acceptance;
  bool independent = true;  ///< contexts do not depend on what was drafted
};

/// As --accept lists them.
Ranks given_ranks(Invocation const& args);
/// The mean over the source's contexts, each as likely as the others.
Ranks ranks_of(Source const& source, RankDrafts drafts, int candidates, std::uint64_t seed);
/// "0.7, 0.175, 0.125", the first of many.
std::string list_of(std::vector<double> const& values);

/// Along a recording's text. Throws InputError where it does not say.
TextRanks text_ranks_from(Invocation const& args, Recorded const& recorded, RankDrafts drafts, int candidates);

/// --accept.
Option accept_option();
/// --drafter, --nodes, --depth, --candidates and --near, as TreeAsked reads them.
std::vector<Option> tree_limit_options();

}  // namespace draftgauge
