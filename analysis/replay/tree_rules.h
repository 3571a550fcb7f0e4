#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/recordings/recorded.h"
#include "analysis/replay/tree_replay.h"

namespace draftgauge {

/// What is replayed.
struct ReplayTask {
  TreeShape tree;
  std::string rule;          ///< with its parameters
  std::string drafter = {};  ///< empty: the rule's own
  std::uint64_t seed = 1;    ///< of what is sampled
};

/// The task with its drafter named. Throws UsageError where no text tells what its rounds give: for rules that are
/// not lossless with such drafts, rules that are not replayed, and trees that the rule does not take.
ReplayTask checked_replay(ReplayTask task);
/// The rules that can be, as their files say (AlongTree, sim/task/card.h).
std::vector<std::string> replayed_rules();

/// What a recording must hold for it: the fewest numbers a token that are enough.
enum class ReplayNeeds {
  trace,    ///< log p and log q
  rank_q,   ///< the token's rank in q; of chains argmax_q_hit is enough
  lower_q,  ///< log p, log q and the lower q of the order of paths (walk_best_path)
  rows      ///< p and q as distributions
};
ReplayNeeds replay_needs(ReplayTask const& checked);
/// Whether the recording holds that, and in words what it lacks; full rows hold all.
bool can_replay(Recorded const& recorded, ReplayTask const& checked);
std::string missing_text(ReplayNeeds needs);

/// Whether some of it is sampled, without bias: what follows from which of three or more drafts without replacement
/// were rejected, and of `traversal-without` from which of two.
bool replay_is_sampled(ReplayTask const& checked);

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

/// [tokens · k] of rules that go on below the first of k independent drafts that is the text's token: (1 − q)^{r−1}·q.
std::vector<double> ranks_of_first_equal(std::span<double const> q, int k);

}  // namespace draftgauge
