#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/trees/tree_rules.h"

namespace draftgauge {

/// The rounds of a checked task, of one long text by its parts, along the texts of a recording, which the target
/// wrote by the distributions that it holds (Policy::on, or nobody knows). No number depends on threads ≥ 1. Throws
/// InputError where it cannot be known, and for a token that p excludes.
TreeReplay replay_tree(Recorded const& recorded, ReplayTask const& checked, int threads = 1,
                       WatchRows const& watch = unwatched);

/// Of rules that test independent drafts in turn against the residual, on a tree whose levels are alike, by log p and log q alone: of k children
/// one is accepted with min(1, c·q/p) given the text, c the mean number of tests, 1 ≤ c ≤ k. Tokens per round for the
/// choice of c at each token and level that gives fewest, and most.
struct TokenBounds {
  TextEstimate low, high;
};
/// None for other tasks.
std::optional<TokenBounds> replay_bounds(Recorded const& recorded, ReplayTask const& checked,
                                         std::shared_ptr<TextSample const> const& sample);

}  // namespace draftgauge
