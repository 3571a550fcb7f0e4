#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/recording.h"

/// Rounds that draft a tree along a recorded text, as a result.
namespace draftgauge {

/// Drafts at one depth, or of one rank among siblings there.
struct RankReport {
  int depth;
  std::optional<int> rank = {};  ///< none: all of this depth
  double offered;
  std::optional<double> tested = {};
  double accepted;
  std::optional<Uncertain> of_offered = {}, of_tested = {};
};
Described<RankReport> const& describe(RankReport const* rank);

/// A chain beside the tree.
struct ChainReport {
  int gamma;
  Uncertain mean_tokens;
  std::optional<Uncertain> speedup = {};
};
Described<ChainReport> const& describe(ChainReport const* chain);

struct TreeReplayReport {
  std::string tree;
  std::vector<int> parents;
  std::size_t nodes;
  int depth;
  std::string rule, drafter, estimator;
  bool sampled;
  double round_cost;
  ChainReport chain;
  std::optional<Uncertain> mean_tokens = {}, speedup = {};
  std::optional<BoundsReport> mean_tokens_bounds = {};
  std::optional<std::vector<double>> reach = {};
  std::optional<std::vector<RankReport>> accepted_by_rank = {};
};
Described<TreeReplayReport> const& describe(TreeReplayReport const* report);

}  // namespace draftgauge
