#include "analysis/trees/tree_walk.h"

#include <algorithm>
#include <cmath>

#include "analysis/replay/rejection_orders.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t orders_a_node = 32;
constexpr double same_ratio = 1e-12;  // of two p/q: logits of few bits often have one, and p and q are rounded

TreeRound at_root(TreeShape const& tree) {
  TreeRound walk{std::vector<double>(static_cast<std::size_t>(tree.depth()) + 1), std::vector<double>(tree.size())};
  walk.alive[0] = walk.passed[0] = 1;
  return walk;
}

/// Calls visit(node, depth, children) for each node that the walk may go on from, parents first. What visit gives to
/// `passed` of children counts.
void for_inner_nodes(TreeShape const& tree, TreeRound& walk, std::size_t tokens, auto const& visit) {
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    TreeNode const children = tree.children(node);
    auto const depth = static_cast<std::size_t>(tree.depth(node));
    if (children.count == 0 || depth >= tokens || !(walk.passed[node] > 0)) continue;
    visit(node, depth, children);
    for (std::uint32_t i = 0; i < children.count; ++i) walk.alive[depth + 1] += walk.passed[children.first + i];
  }
}

}  // namespace

TreeRound walk_by_rank(TreeShape const& tree, std::span<double const> a, std::size_t ranks) {
  TreeRound walk = at_root(tree);
  for_inner_nodes(tree, walk, a.size() / ranks, [&](std::uint32_t node, std::size_t depth, TreeNode const& children) {
    auto const here = a.subspan(depth * ranks, ranks);
    for (std::uint32_t i = 0; i < children.count && i < ranks; ++i)
      walk.passed[children.first + i] = walk.passed[node] * here[i];
  });
  return walk;
}

TreeRound walk_traversal(TreeShape const& tree, std::span<WalkRow const> rows) {
  TreeRound walk = at_root(tree);
  std::vector<double> score(tree.size(), 1.);
  for_inner_nodes(tree, walk, rows.size(), [&](std::uint32_t node, std::size_t depth, TreeNode const& children) {
    auto const& [tables, p, q] = rows[depth];
    double const s = score[node];
    double taken = 0, left = 1;
    for (std::uint32_t i = 0; i < children.count && left > 0; ++i) {
      double const owed = std::max(s * p - taken * q, 0.), visited = left * q;
      score[children.first + i] = owed < visited ? owed / visited : 1;
      walk.passed[children.first + i] = walk.passed[node] * std::min(owed, visited) / (s * p);
      taken += left;
      left = 1 - s + s * tables->above(taken / s);
    }
  });
  return walk;
}

TreeRound walk_traversal_without(TreeShape const& tree, std::span<WalkRow const> rows, TokenCoins coins) {
  TreeRound walk = at_root(tree);
  std::vector<double> score(tree.size(), 1.);
  for_inner_nodes(tree, walk, rows.size(), [&](std::uint32_t node, std::size_t depth, TreeNode const& children) {
    auto const& [tables, p, q] = rows[depth];
    double const s = score[node];
    walk.passed[children.first] = walk.passed[node] * std::min(1., q / (s * p));
    score[children.first] = s * p < q ? s * p / q : 1;
    if (children.count == 1) return;
    RejectionOrders const orders(*tables);
    std::vector<double> sums(children.count);
    for (std::uint32_t order = 0; order < orders_a_node; ++order)
      orders.play(
          coins, static_cast<int>(children.count),
          [&](int rank, RejectionState const& state) {
            if (rank == 1) return;
            double const mine = state.weight * state.accepts(p, q);
            if (!(mine > 0)) return;
            double& sum = sums[static_cast<std::size_t>(rank) - 1];
            sum += mine;
            // Of all orders one gives the score, each in proportion to what it lets pass.
            if (coins.next() * sum < mine)
              score[children.first + static_cast<std::uint32_t>(rank) - 1] = state.score_of(p, q);
          },
          s);
    for (std::uint32_t i = 1; i < children.count; ++i)
      walk.passed[children.first + i] = walk.passed[node] * sums[i] / orders_a_node / (s * p);
  });
  return walk;
}

double lower_q(std::span<double const> p, std::span<double const> q, Token x) {
  double sum = 0;
  for (std::size_t y = 0; y < q.size(); ++y) {
    double const its = p[y] * q[x], mine = p[x] * q[y];
    bool const lower = its < mine * (1 - same_ratio), equal = !lower && its <= mine * (1 + same_ratio);
    if (lower || (equal && (p[y] < p[x] || (p[y] == p[x] && x < y)))) sum += q[y];
  }
  return sum;
}

TreeRound walk_best_path(int paths, int depth, std::span<PathToken const> tokens) {
  TreeRound walk{std::vector<double>(static_cast<std::size_t>(depth) + 1), {}};
  walk.alive[0] = 1;
  double behind = 0, here = 1, log_ratio = 0, least = 0;
  for (std::size_t i = 0; i < tokens.size() && i < static_cast<std::size_t>(depth); ++i) {
    behind += here * tokens[i].lower;
    here *= tokens[i].q;
    log_ratio += tokens[i].log_ratio;
    double slope = 0, power = 1;  // ((A + Q)^K − A^K)/Q
    for (int path = 0; path < paths; ++path) {
      slope = slope * (behind + here) + power;
      power *= behind;
    }
    least = std::min(least, log_ratio + std::log(slope));
    walk.alive[i + 1] = std::exp(least);
  }
  return walk;
}

TreeRound walk_trie(TreeShape const& tree, std::span<double const> q) {
  TreeRound walk{std::vector<double>(static_cast<std::size_t>(tree.depth()) + 1), {}};
  walk.alive[0] = 1;
  std::vector<double> spelt(
      tree.size());  // P(the text's first i tokens stand in a path through v | v spells its own)
  for (int i = 1; i <= tree.depth() && static_cast<std::size_t>(i) <= q.size(); ++i) {
    for (std::uint32_t node = tree.size(); node-- > 0;) {
      int const depth = tree.depth(node);
      if (depth > i) continue;
      TreeNode const children = tree.children(node);
      double none = 1;
      for (std::uint32_t j = 0; depth < i && j < children.count; ++j)
        none *= 1 - q[static_cast<std::size_t>(depth)] * spelt[children.first + j];
      spelt[node] = depth == i ? 1 : 1 - none;
    }
    walk.alive[static_cast<std::size_t>(i)] = spelt[0];
  }
  return walk;
}

}  // namespace draftgauge
