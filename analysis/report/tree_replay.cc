#include "analysis/report/tree_replay.h"

namespace draftgauge {

Described<RankReport> const& describe(RankReport const* /*rank*/) {
  using Row = RankReport;
  static Described<Row> const all(
      {.name = "AcceptedByRank", .says = "Drafts at one depth of a tree, or of one rank among siblings there."},
      {{"depth", "depth", &Row::depth, {.least = 1}},
       {"rank", "rank", &Row::rank, {.says = "Among siblings, from 1; null: all of this depth.", .least = 1}},
       {"offered",
        "offered",
        &Row::offered,
        {.decimals = 1, .says = "Expected rounds that accept the parent of such a draft."}},
       {"tested", &Row::tested, {.says = "Those of them that accept no earlier sibling."}},
       {"accepted", &Row::accepted},
       {"of_offered", "of offered", &Row::of_offered, {.decimals = 3}},
       {"of_tested", "of tested", &Row::of_tested, {.decimals = 3}}});
  return all;
}

Described<ChainReport> const& describe(ChainReport const* /*chain*/) {
  using Row = ChainReport;
  static Described<Row> const all(
      {.name = "ChainBeside",
       .says = "A chain by the same rule and drafter: the best of those asked for, or without costs the one as deep."},
      {{"gamma", &Row::gamma, {.least = 1}}, {"mean_tokens", &Row::mean_tokens}, {"speedup", &Row::speedup}});
  return all;
}

Described<TreeReplayReport> const& describe(TreeReplayReport const* /*report*/) {
  using Row = TreeReplayReport;
  static Described<Row> const all(
      {.name = "TreeReplay", .says = "What rounds that draft a tree give along the text."},
      {{"tree", &Row::tree, {.says = "The shortest value of `tree` that is this tree."}},
       {"parents", &Row::parents, {.says = "Of each node, level by level.", .least = -1, .fewest = 2}},
       {"nodes", &Row::nodes, {.says = "With the root.", .least = 2}},
       {"depth", &Row::depth, {.least = 1}},
       {"rule", &Row::rule},
       {"drafter", &Row::drafter, {.words = {"sample", "sample-without", "top"}}},
       {"estimator",
        &Row::estimator,
        {.says = "replay_bounds: two numbers a token leave open how many drafts are tested.",
         .words = {"replay", "replay_bounds"}}},
       {"sampled", &Row::sampled, {.says = "Which earlier siblings were rejected is sampled, without bias."}},
       {"round_cost", &Row::round_cost, {.says = "In plain steps of the target.", .least = 0, .above = true}},
       {"chain", &Row::chain},
       {"mean_tokens", &Row::mean_tokens},
       {"speedup", &Row::speedup},
       {"mean_tokens_bounds",
        &Row::mean_tokens_bounds,
        {.says = "The ends of both bounds' intervals, or the bounds where they have none."}},
       {"reach",
        &Row::reach,
        {.says = "How often a round accepts each node; null where the rule does not tell equal drafts apart."}},
       {"accepted_by_rank", &Row::accepted_by_rank}});
  return all;
}

}  // namespace draftgauge
