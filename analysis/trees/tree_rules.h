#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/recordings/recorded.h"
#include "analysis/trees/tree_replay.h"
#include "sim/draft/card.h"

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
/// The rules that can be, as their files say (AlongTree, sim/draft/card.h).
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

/// What decides in its rounds. Throws UsageError for rules that are not replayed.
AlongTree way_of(ReplayTask const& task);
inline bool is_chain(ReplayTask const& task) { return task.tree.widest() <= 1; }
/// Whether the drafts of a position differ.
bool has_distinct_drafts(ReplayTask const& task);
/// Whether they are the most likely of q.
bool has_top_drafts(ReplayTask const& task);

}  // namespace draftgauge
