#include "analysis/trees/tree_speedup.h"

namespace draftgauge {

SizedTree priced_tree(int nodes, int depth, double tokens, Costs const& costs) {
  double const time = nodes == 1 ? 1 : costs.of_tree(depth, nodes);
  return {nodes, depth, tokens, time, tokens / time};
}

TreeChoice choose_tree(std::vector<SizedTree> sizes, std::span<double const> chains, Costs const& costs,
                       double share) {
  TreeChoice choice;
  choice.sizes = std::move(sizes);
  auto const all = speedups_of(choice.sizes, &SizedTree::speedup);
  choice.best = smallest_best(all);
  for (GammaRange const& range : near_best(all, share))
    choice.near_optimal.push_back({range.first + 1, *range.last + 1});
  std::vector<SizedTree> priced;
  for (int gamma = 0; gamma < static_cast<int>(chains.size()); ++gamma)
    priced.push_back(priced_tree(gamma + 1, gamma, chains[static_cast<std::size_t>(gamma)], costs));
  choice.chain = priced[smallest_best(speedups_of(priced, &SizedTree::speedup))];
  return choice;
}

TreeChoice choose_tree(SequoiaTable const& table, Costs const& costs, double share) {
  std::vector<double> chains{1};
  double kept = 1;
  for (int gamma = 1; gamma <= table.depth_limit() && gamma < table.nodes(); ++gamma)
    chains.push_back(chains.back() + (kept *= table.ranks().front()));
  return choose_tree(
      best_by_size(table.nodes(), table.depth(), costs, [&](int n, int d) { return table.tokens(n, d); }), chains,
      costs, share);
}

}  // namespace draftgauge
