#include "analysis/stats/tree_counts.h"

#include <map>

namespace draftgauge {
namespace {

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<int> tree_parents(RoundShape const& shape) {
  std::vector<int> parents(counted_nodes(shape), -1);
  std::vector<DraftPlace> const places = tree_places(shape);
  for (std::uint32_t node = 0; node < parents.size(); ++node) {
    TreeNode const children = shape.children(node, places[node].depth);
    for (std::uint32_t i = 0; i < children.count; ++i) parents[children.first + i] = static_cast<int>(node);
  }
  return parents;
}

std::vector<DraftPlace> tree_places(RoundShape const& shape) {
  std::vector<DraftPlace> places(counted_nodes(shape));
  for (std::uint32_t node = 0; node < places.size(); ++node) {
    TreeNode const children = shape.children(node, places[node].depth);
    for (std::uint32_t i = 0; i < children.count; ++i)
      places[children.first + i] = {places[node].depth + 1, static_cast<int>(i) + 1};
  }
  return places;
}

std::optional<double> RankCounts::of_offered() const { return share(accepted, offered); }
std::optional<double> RankCounts::of_tested() const { return share(accepted, tested); }

std::vector<RankCounts> rank_counts(RoundShape const& shape, std::uint64_t rounds,
                                    std::span<std::uint64_t const> passed) {
  if (passed.empty()) return {};
  std::map<DraftPlace, RankCounts> by_place;
  std::vector<DraftPlace> const places = tree_places(shape);
  auto const at = [&](std::uint32_t node) { return node == 0 ? rounds : passed[node - 1]; };
  for (std::uint32_t node = 0; node <= passed.size(); ++node) {
    TreeNode const children = shape.children(node, places[node].depth);
    std::uint64_t left = at(node);
    for (std::uint32_t child = children.first; child < children.first + children.count; ++child) {
      DraftPlace const& place = places[child];
      RankCounts& counts = by_place.try_emplace(place, RankCounts{place.depth, place.rank}).first->second;
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
