#include "analysis/tree_counts.h"

#include <map>
#include <utility>

namespace draftgauge {
namespace {

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<int> tree_parents(RoundShape const& shape) {
  std::vector<int> parents(counted_nodes(shape), -1), depths(parents.size(), 0);
  for (std::uint32_t node = 0; node < parents.size(); ++node) {
    TreeNode const children = shape.children(node, depths[node]);
    for (std::uint32_t child = children.first; child < children.first + children.count; ++child) {
      parents[child] = static_cast<int>(node);
      depths[child] = depths[node] + 1;
    }
  }
  return parents;
}

std::optional<double> RankCounts::of_offered() const { return share(accepted, offered); }
std::optional<double> RankCounts::of_tested() const { return share(accepted, tested); }

std::vector<RankCounts> rank_counts(RoundShape const& shape, std::uint64_t rounds,
                                    std::span<std::uint64_t const> passed) {
  if (passed.empty()) return {};
  std::map<std::pair<int, int>, RankCounts> by_place;
  auto const at = [&](std::uint32_t node) { return node == 0 ? rounds : passed[node - 1]; };
  std::vector<int> depths(passed.size() + 1, 0);
  for (std::uint32_t node = 0; node <= passed.size(); ++node) {
    TreeNode const children = shape.children(node, depths[node]);
    std::uint64_t left = at(node);
    for (std::uint32_t i = 0; i < children.count; ++i) {
      std::uint32_t const child = children.first + i;
      depths[child] = depths[node] + 1;
      int const rank = static_cast<int>(i) + 1;
      RankCounts& counts = by_place.try_emplace({depths[child], rank}, RankCounts{depths[child], rank}).first->second;
      counts.offered += at(node);
      counts.tested += left;
      counts.accepted += at(child);
      left -= at(child);
    }
  }
  std::vector<RankCounts> all;
  for (auto const& [place, counts] : by_place) all.push_back(counts);
  return all;
}

}  // namespace draftgauge
