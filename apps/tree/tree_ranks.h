#pragma once
#include <string>
#include <vector>

#include "analysis/trees/known_ranks.h"
#include "apps/cli/invocation.h"

/// Acceptance by rank, as options and recordings say it, for commands that choose or show trees.
namespace draftgauge {

/// As --accept lists them.
Ranks given_ranks(Invocation const& args);
/// "0.7, 0.175, 0.125", the first of many.
std::string list_of(std::vector<double> const& values);

/// Along a recording's text. Throws InputError where it does not say.
TextRanks text_ranks_from(Invocation const& args, Recorded const& recorded, RankDrafts drafts, int branching);

/// The most children of a node where nothing is said.
inline constexpr int standard_children = 16;

/// --accept.
Option accept_option();
/// --drafter, --nodes, --depth, --candidates and --near, as TreeAsked reads them.
std::vector<Option> tree_limit_options();

}  // namespace draftgauge
