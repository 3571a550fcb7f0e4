#include "analysis/choose/text_choice.h"

#include <algorithm>

#include "analysis/choose/breadth_first.h"
#include "analysis/replay/tree_replay.h"

namespace draftgauge {
namespace {

TextTree valued(TreeShape tree, double worth, TextRanks const& ranks, std::shared_ptr<TextSample const> const& sample,
                Costs const& costs) {
  double const time = tree.depth() == 0 ? 1 : costs.of_tree(tree.depth(), tree.size());
  TextEstimate tokens = replayed(tree, ranks).tokens(sample);
  TextEstimate speedup = tokens * (1 / time);
  Limits const limits{1 / time, (tree.depth() + 1) / time};
  return {std::move(tree), worth, std::move(tokens), std::move(speedup), time, limits};
}

std::size_t best_of(std::vector<TextTree> const& trees) {
  return smallest_best(speedups_of(trees, [](TextTree const& tree) { return tree.speedup.value; }));
}

}  // namespace

TextTreeChoice choose_text_tree(TextRanks const& ranks, std::shared_ptr<TextSample const> const& sample,
                                Costs const& costs, int nodes, int depth, double within) {
  TextTrees const trees(ranks, nodes, depth);
  std::vector<double> tokens = trees.chains();
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(nodes)));
  TextTreeChoice choice;
  choice.by_worth =
      choose_tree(best_by_size(trees.nodes(), trees.depth(), costs, [&](int n, int d) { return trees.tokens(n, d); }),
                  tokens, costs, within);
  for (GammaRange const& range : choice.by_worth.near_optimal)
    for (std::int64_t n = range.first; n <= *range.last; ++n) {
      SizedTree const& sized = choice.by_worth.sizes[static_cast<std::size_t>(n) - 1];
      choice.near_optimal.push_back(valued(trees.tree(sized.nodes, sized.depth), sized.tokens, ranks, sample, costs));
    }
  choice.best = best_of(choice.near_optimal);
  std::vector<TextTree> chains;
  for (double const worth : tokens)
    chains.push_back(valued(chain_tree(static_cast<int>(chains.size())), worth, ranks, sample, costs));
  choice.chain = chains[best_of(chains)];
  return choice;
}

}  // namespace draftgauge
