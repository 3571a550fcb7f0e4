#include "analysis/trees/text_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <queue>
#include <set>

#include "analysis/trees/breadth_first.h"
#include "sim/base/error.h"
#include "sim/draft/children.h"
#include "sim/draft/path_down.h"

namespace draftgauge {
namespace {

constexpr int most_nodes = 512;
constexpr std::size_t pool_per_node = 16;

/// The most of a's n nodes and b's together.
std::vector<double> together(std::vector<double> const& a, std::vector<double> const& b, std::size_t most) {
  std::vector<double> sum(std::min(most, a.size() + b.size() - 2) + 1, 0.);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size() && i + j < sum.size(); ++j) sum[i + j] = std::max(sum[i + j], a[i] + b[j]);
  return sum;
}

std::vector<double> const nobody{0.};

/// With what probability a round at that token of a text goes along the path of ranks.
double reached(TextRanks const& ranks, std::size_t text, std::size_t t, std::span<int const> path) {
  double product = 1;
  for (std::size_t i = 0; i < path.size() && product > 0; ++i)
    product *= ranks.at(text, t + i)[static_cast<std::size_t>(path[i]) - 1];
  return product;
}

}  // namespace

TextTrees::TextTrees(TextRanks const& ranks, int nodes, int depth) : ranks_(ranks), nodes_(nodes), deepest_(depth) {
  if (nodes < 1 || nodes > most_nodes)
    throw UsageError(fmt::format("a tree of {} nodes is out of range for a recording (1 to {})", nodes, most_nodes));
  if (depth < 1 || depth > max_gamma)
    throw UsageError(fmt::format("a tree of {} levels is out of range (1 to {})", depth, max_gamma));
  gather();
  nodes_ = std::min(nodes, static_cast<int>(all_.size()));
  int const deepest = std::ranges::max(all_, {}, &Node::depth).depth;
  for (int d = 0; d <= deepest; ++d) levels_.push_back(filled(d));
  double tokens = 1, worth = 1;
  std::vector<int> path;
  chains_.push_back(tokens);
  for (int gamma = 1; gamma <= depth; ++gamma) {
    path.push_back(1);
    tokens += worth = std::min(worth, worth_of_path(path));
    chains_.push_back(tokens);
  }
}

double TextTrees::worth_of_path(std::span<int const> path) const {
  double sum = 0;
  std::size_t starts = 0;
  for (std::size_t text = 0; text < ranks_.of.size(); ++text)
    for (std::size_t t = 0; t + path.size() <= ranks_.length(text); ++t, ++starts)
      sum += reached(ranks_, text, t, path);
  return starts > 0 ? sum / static_cast<double>(starts) : 0;
}

std::vector<double> TextTrees::worths_below(std::uint32_t node) const {
  std::vector<int> const path = path_down(
      node, [&](std::uint32_t at) { return all_[at].parent; }, [&](std::uint32_t at) { return all_[at].rank; });
  std::vector<double> sums(static_cast<std::size_t>(ranks_.ranks));
  std::size_t starts = 0;
  for (std::size_t text = 0; text < ranks_.of.size(); ++text)
    for (std::size_t t = 0; t + path.size() < ranks_.length(text); ++t, ++starts) {
      double const goes_there = reached(ranks_, text, t, path);
      if (!(goes_there > 0)) continue;
      auto const here = ranks_.at(text, t + path.size());
      for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += goes_there * here[r];
    }
  // A path is accepted no oftener than what it begins with, though means over fewer tokens may say so.
  for (double& sum : sums) sum = starts > 0 ? std::min(sum / static_cast<double>(starts), all_[node].worth) : 0;
  return sums;
}

void TextTrees::gather() {
  // Nodes in the order of the most that they, a later sibling or what is below could be worth. A tree that has a node
  // for which that is less than `closed` of as many nodes as the tree may have lacks one of these, and is no lighter
  // with it in place of a last one of that node's part.
  struct Open {
    double most;
    std::uint32_t parent, before;  ///< before: the sibling that it follows, or 0
    int rank;
    bool operator<(Open const& other) const {
      return most != other.most ? most < other.most : std::pair(parent, rank) > std::pair(other.parent, other.rank);
    }
  };
  std::priority_queue<Open> open;
  auto const offer = [&](std::uint32_t parent, std::uint32_t before, int rank) {
    auto const& below = all_[parent].below;
    if (static_cast<std::size_t>(rank) > below.size()) return;
    double const most = *std::max_element(below.begin() + (rank - 1), below.end());
    if (most > 0) open.push({most, parent, before, rank});
  };
  auto const wanted = static_cast<std::size_t>(nodes_) - 1;
  all_.emplace_back();
  all_[0].below = worths_below(0);
  offer(0, 0, 1);
  // [d − 1] of trees of at most d levels: the greatest `closed`, as many as such a tree has drafts. Those that have
  // all that they need are no longer asked for.
  std::vector<std::multiset<double>> closed(static_cast<std::size_t>(deepest_));
  while (wanted > 0 && !open.empty() && all_.size() <= pool_per_node * wanted) {
    Open const next = open.top();
    open.pop();
    int const depth = all_[next.parent].depth + 1;
    auto const limits = std::span(closed).subspan(static_cast<std::size_t>(depth) - 1);
    if (std::ranges::all_of(limits,
                            [&](auto const& each) { return each.size() == wanted && *each.begin() >= next.most; }))
      continue;
    auto const number = static_cast<std::uint32_t>(all_.size());
    Node node{.parent = next.parent, .rank = next.rank, .depth = depth};
    node.worth = all_[next.parent].below[static_cast<std::size_t>(next.rank) - 1];
    node.closed = std::min(node.worth, all_[next.before != 0 ? next.before : next.parent].closed);
    (next.before != 0 ? all_[next.before].sibling : all_[next.parent].child) = number;
    for (auto& each : limits) {
      each.insert(node.closed);
      if (each.size() > wanted) each.erase(each.begin());
    }
    all_.push_back(std::move(node));
    if (depth < deepest_) {
      all_[number].below = worths_below(number);
      offer(number, 0, 1);
    }
    offer(next.parent, number, next.rank + 1);
  }
}

TextTrees::Level TextTrees::filled(int depth) const {
  Level level(all_.size());
  auto const most = static_cast<std::size_t>(nodes_);
  for (std::size_t node = all_.size(); node-- > 0;) {  // children and later siblings have greater numbers
    Node const& here = all_[node];
    auto const at = [&](std::uint32_t other) -> std::vector<double> const& {
      return other == 0 || all_[other].depth > depth ? nobody : level[other];
    };
    if (here.depth > depth) continue;
    std::vector<double> const others = together(at(here.child), at(here.sibling), most - 1);
    level[node].assign(1, 0.);
    for (double const each : others) level[node].push_back(here.worth + each);
  }
  return level;
}

std::optional<double> TextTrees::tokens(int n, int d) const {
  auto const& root = levels_[static_cast<std::size_t>(d)][0];
  if (static_cast<std::size_t>(n) >= root.size()) return std::nullopt;
  return root[static_cast<std::size_t>(n)];
}

TreeShape TextTrees::tree(int n, int d) const {
  Level const& level = levels_[static_cast<std::size_t>(d)];
  auto const at = [&](std::uint32_t other) -> std::vector<double> const& {
    return other == 0 || all_[other].depth > d ? nobody : level[other];
  };
  std::vector<std::vector<std::uint32_t>> children(all_.size());
  struct Part {
    std::uint32_t node;
    std::size_t count;
  };
  std::vector<Part> parts{{0, static_cast<std::size_t>(n)}};
  while (!parts.empty()) {
    auto const [node, count] = parts.back();
    parts.pop_back();
    if (count == 0) continue;
    if (node != 0) children[all_[node].parent].push_back(node);
    auto const& below = at(all_[node].child);
    auto const& beside = at(all_[node].sibling);
    double best = -1;
    std::size_t split = 0;
    for (std::size_t i = 0; i < below.size() && i < count; ++i)
      if (count - 1 - i < beside.size() && below[i] + beside[count - 1 - i] > best) {
        best = below[i] + beside[count - 1 - i];
        split = i;
      }
    parts.push_back({all_[node].sibling, count - 1 - split});
    parts.push_back({all_[node].child, split});
  }
  for (auto& each : children) std::ranges::sort(each);  // siblings are numbered by rank
  return breadth_first(children).tree;
}

}  // namespace draftgauge
