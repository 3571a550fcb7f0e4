#include "analysis/trees/sequoia.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/trees/breadth_first.h"
#include "sim/base/error.h"
#include "sim/draft/children.h"

namespace draftgauge {

void check_ranks(std::span<double const> ranks) {
  if (ranks.empty())
    throw UsageError("there is no acceptance by rank (P_1 is that of a node's first child)", "give one at least");
  if (ranks.size() > max_children)
    throw UsageError(
        fmt::format("there are {} acceptances by rank (a node has at most {} children)", ranks.size(), max_children),
        "give fewer");
  double sum = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (!(ranks[r] >= 0 && ranks[r] <= 1))
      throw UsageError(fmt::format("P_{} is {} (it is a probability)", r + 1, ranks[r]), "give numbers from 0 to 1");
    sum += ranks[r];
  }
  constexpr double rounding = 1e-3;  // vectors are printed with a few digits
  if (sum > 1 + rounding)
    throw UsageError(fmt::format("the acceptances by rank sum to {:.6g} (one child is accepted at most, so that P_r "
                                 "is of all visits to a node and not of the tests of its r-th child)",
                                 sum),
                     "multiply each by the share of visits that come to test it");
}

SequoiaTable::SequoiaTable(std::span<double const> ranks, int nodes, std::optional<int> depth)
    : ranks_(ranks.begin(), ranks.end()), nodes_(nodes), limit_(std::min(depth.value_or(max_gamma), max_gamma)) {
  check_ranks(ranks);
  if (nodes < 1 || static_cast<std::uint32_t>(nodes) > max_tree_nodes)
    throw UsageError(
        fmt::format("a tree of {} nodes is out of range (its root is one; at most {})", nodes, max_tree_nodes),
        fmt::format("give a number from 1 to {}", max_tree_nodes));
  if (limit_ < 1)
    throw UsageError(fmt::format("a tree of {} levels drafts nothing (1 or more do)", limit_), "give 1 or more");
  Level root;
  root.with.assign(1, std::vector<double>(2, 1.));
  root.best = {0, 1};
  levels_.push_back(std::move(root));
  while (this->depth() < limit_) {
    Level next = below(levels_.back());
    if (next.best == levels_.back().best) break;
    levels_.push_back(std::move(next));
  }
}

SequoiaTable::Level SequoiaTable::below(Level const& next) const {
  auto const nodes = static_cast<std::size_t>(nodes_), ranks = ranks_.size();
  Level level;
  level.largest = std::min(nodes, 1 + ranks * next.largest);
  level.best.assign(level.largest + 1, 0.);
  level.with.assign(1, std::vector<double>(level.largest + 1, 0.));
  level.best[1] = level.with[0][1] = 1;
  std::size_t least = 1, most = 1;  // nodes of trees with the children so far
  for (std::size_t b = 1; b <= ranks && b < nodes; ++b) {
    std::vector<double> const& fewer = level.with.back();
    std::vector<double> now(level.largest + 1, 0.);
    std::size_t const child = std::min(next.largest, nodes - least);
    for (std::size_t m = 1; m <= child; ++m) {
      double const gain = ranks_[b - 1] * next.best[m];
      std::size_t const end = std::min(nodes - m, most);
      for (std::size_t n = least; n <= end; ++n) now[n + m] = std::max(now[n + m], fewer[n] + gain);
    }
    ++least;
    most = std::min(nodes, most + next.largest);
    for (std::size_t n = least; n <= most; ++n) level.best[n] = std::max(level.best[n], now[n]);
    level.with.push_back(std::move(now));
  }
  return level;
}

std::optional<double> SequoiaTable::tokens(int n, int d) const {
  Level const& level = levels_[static_cast<std::size_t>(d)];
  if (static_cast<std::size_t>(n) > level.largest) return std::nullopt;
  return level.best[static_cast<std::size_t>(n)];
}

std::size_t SequoiaTable::children(std::size_t n, std::size_t d) const {
  Level const& level = levels_[d];
  std::size_t b = 0;
  while (level.with[b][n] != level.best[n]) ++b;  // it is one of them
  return b;
}

TreeShape SequoiaTable::tree(int n, int d) const {
  struct Subtree {
    std::size_t nodes, depth;
  };
  std::vector<Subtree> all{{static_cast<std::size_t>(n), static_cast<std::size_t>(d)}};
  std::vector<int> parents{-1};
  for (std::size_t node = 0; node < all.size(); ++node) {
    auto const [nodes, depth] = all[node];
    if (nodes == 1) continue;
    std::size_t const count = children(nodes, depth);
    std::vector<double> const& below = levels_[depth - 1].best;
    std::vector<std::size_t> sizes(count);
    std::size_t left = nodes;
    for (std::size_t b = count; b > 0; --b) {
      auto const& with = levels_[depth].with;
      std::size_t m = 1;
      // A sum that made the maximum is made again, in the same way.
      while (m >= below.size() || with[b - 1][left - m] == 0 ||
             with[b - 1][left - m] + ranks_[b - 1] * below[m] != with[b][left])
        ++m;
      sizes[b - 1] = m;
      left -= m;
    }
    for (std::size_t const size : sizes) {
      all.push_back({size, depth - 1});
      parents.push_back(static_cast<int>(node));
    }
  }
  return tree_of_parents(parents);
}

std::vector<double> reach_by_rank(TreeShape const& tree, std::span<double const> ranks) {
  std::vector<double> reach(tree.size(), 0.);
  reach[0] = 1;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    TreeNode const children = tree.children(node);
    for (std::uint32_t i = 0; i < children.count && i < ranks.size(); ++i)
      reach[children.first + i] = reach[node] * ranks[i];
  }
  return reach;
}

}  // namespace draftgauge
