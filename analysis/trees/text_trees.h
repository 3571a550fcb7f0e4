#pragma once
#include <optional>
#include <span>
#include <vector>

#include "analysis/trees/text_ranks.h"
#include "sim/draft/tree_shape.h"

namespace draftgauge {

/// The trees that would have been accepted most along recorded texts. A node whose path has the ranks r_1 … r_d is
/// worth
///
///     mean over t of a_{r_1}(t) · a_{r_2}(t + 1) ⋯ a_{r_d}(t + d − 1)
///
/// over all tokens t that a round of d drafts fits behind, as if rounds started anywhere alike; ranks and depths may
/// depend on each other as they do in the texts. The heaviest tree of each size and depth, closed under parents and
/// earlier siblings, is found among the nodes that could be in it, exactly, where these are at most 16 times as many
/// as the largest size.
class TextTrees {
 public:
  /// nodes: the most, the root among them, 1 … 512; depth: 1 … max_gamma. Else UsageError. `ranks` must live as long.
  TextTrees(TextRanks const& ranks, int nodes, int depth);

  int nodes() const { return nodes_; }  ///< less than asked where no more have ever been accepted
  int depth() const { return static_cast<int>(levels_.size()) - 1; }
  /// 1 + the worth of the heaviest tree of n nodes and at most d levels, and the tree. None where there is none.
  std::optional<double> tokens(int n, int d) const;
  TreeShape tree(int n, int d) const;
  /// The same of the chain of γ tokens, γ = 0 … depth().
  std::vector<double> const& chains() const { return chains_; }

 private:
  struct Node {
    std::uint32_t parent = 0;
    int rank = 0, depth = 0;  ///< rank from 1
    double worth = 1;
    double closed = 1;               ///< the least worth among it, its earlier siblings and those of its ancestors
    std::vector<double> below = {};  ///< [ranks] what its children are worth
    std::uint32_t child = 0, sibling = 0;  ///< its first child, and the sibling after it; 0 where it is not there
  };
  /// [node][n] the most that n nodes at it, its later siblings and below are worth.
  using Level = std::vector<std::vector<double>>;

  double worth_of_path(std::span<int const> path) const;
  std::vector<double> worths_below(std::uint32_t node) const;
  void gather();
  Level filled(int depth) const;

  TextRanks const& ranks_;
  int nodes_, deepest_;
  std::vector<Node> all_;
  std::vector<Level> levels_;
  std::vector<double> chains_;
};

}  // namespace draftgauge
