#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/figures/figure.h"
#include "analysis/stats/interval.h"

namespace draftgauge {

/// A tree and what its rounds give.
struct SubjectTree {
  TreeShape tree;
  double tokens, speedup;
  std::optional<Interval> speedup_within = {};
  bool near_optimal = false;  ///< its size is near the best
};

/// What a figure of trees is drawn of.
struct TreeSubject {
  std::string of;  ///< for captions: "P = 0.7, 0.2", "a.safetensors: 24 tokens in 1 text, …"
  Costs costs;
  /// The best tree of each size, the root alone first; the one that was asked for, or that was simulated, is alone.
  std::vector<SubjectTree> sizes = {};
  std::size_t best = 0;                  ///< of these
  std::vector<SubjectTree> chains = {};  ///< [γ], of at most as many nodes; empty where one tree was asked for
  /// [nodes] P(the accepted path passes it), of a tree's rounds.
  std::function<std::vector<double>(TreeShape const&)> reach = {};

  SubjectTree const& tree() const { return sizes[best]; }
};

/// By the input's P_1, P_2, …, or by the first recording that knows acceptance by rank: the trees that `draftgauge
/// tree` chooses. Throws InputError where there is neither, UsageError where several recordings are to be drawn;
/// `figure` is the name that the messages give.
TreeSubject tree_subject(FigureInput const& input, std::string_view figure);

/// "c = 0.1; a pass over 64 tokens takes 2.26 plain steps".
std::string cost_words_of(TreeSubject const& subject);

}  // namespace draftgauge
