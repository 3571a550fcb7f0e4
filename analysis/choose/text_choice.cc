#include "analysis/choose/text_choice.h"

#include <algorithm>
#include <numeric>

#include "analysis/trees/breadth_first.h"
#include "analysis/trees/tree_replay.h"

namespace draftgauge {
namespace {

double speedup_of(TextTree const& tree) { return tree.sized.speedup; }

std::shared_ptr<TextSample const> sample_of(TextRanks const& ranks) {
  std::vector<double> lengths;
  for (std::size_t text = 0; text < ranks.of.size(); ++text)
    lengths.push_back(static_cast<double>(ranks.length(text)));
  return std::make_shared<TextSample const>(std::move(lengths), 0, 0);
}

}  // namespace

TextTree text_tree(TreeShape tree, TextRanks const& ranks, std::shared_ptr<TextSample const> const& sample,
                   Costs const& costs) {
  TextEstimate tokens = replayed(tree, ranks).tokens(sample);
  SizedTree const sized = priced_tree(static_cast<int>(tree.size()), tree.depth(), tokens.value, costs);
  TextEstimate speedup = tokens * (1 / sized.time);
  return {std::move(tree), sized, std::move(tokens), std::move(speedup),
          tokens_in_round(sized.depth, true) / sized.time};
}

TextTreeChoice choose_text_tree(TextRanks const& ranks, std::shared_ptr<TextSample const> const& sample,
                                Costs const& costs, int nodes, int depth, double share, ReplayedSizes which) {
  TextTrees const trees(ranks, nodes, depth);
  std::size_t const longest = std::min(trees.chains().size(), static_cast<std::size_t>(nodes));
  TreeChoice const by_worth =
      choose_tree(best_by_size(trees.nodes(), trees.depth(), costs, [&](int n, int d) { return trees.tokens(n, d); }),
                  std::span(trees.chains()).first(longest), costs, std::max(share, replayed_share));
  TextTreeChoice choice;
  std::vector<double> candidates;  // S of those that could be the best
  for (SizedTree const& each : by_worth.sizes) {
    bool const candidate = in_any(by_worth.near_optimal, each.nodes);
    if (!candidate && which == ReplayedSizes::near_optimal) continue;
    choice.sizes.push_back(text_tree(trees.tree(each.nodes, each.depth), ranks, sample, costs));
    candidates.push_back(candidate ? speedup_of(choice.sizes.back()) : 0);
  }
  choice.best = smallest_best(candidates);
  std::vector<int> near_optimal;
  for (int const place : near_places(candidates, share))
    near_optimal.push_back(choice.sizes[static_cast<std::size_t>(place)].sized.nodes);
  choice.near_optimal = ranges_of(near_optimal);
  for (std::size_t gamma = 0; gamma < longest; ++gamma)
    choice.chains.push_back(text_tree(chain_tree(static_cast<int>(gamma)), ranks, sample, costs));
  choice.best_chain = smallest_best(speedups_of(choice.chains, speedup_of));
  return choice;
}

std::optional<LeftOutTexts> left_out_texts(TextRanks const& ranks, Costs const& costs, int nodes, int depth,
                                           double share) {
  constexpr std::size_t most_parts = 20;
  std::size_t const parts = std::min(ranks.of.size(), most_parts);
  if (parts < 2) return {};
  double tokens = 0, rounds = 0, time = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    TextRanks others{ranks.ranks, {}, ranks.exact}, left_out = others;
    for (std::size_t text = 0; text < ranks.of.size(); ++text)
      (text % parts == part ? left_out : others).of.push_back(ranks.of[text]);
    TextTreeChoice const choice = choose_text_tree(others, sample_of(others), costs, nodes, depth, share);
    auto const sample = sample_of(left_out);
    TextTree const there = text_tree(choice.tree().tree, left_out, sample, costs);
    double const length = std::accumulate(sample->lengths().begin(), sample->lengths().end(), 0.0);
    tokens += length;
    rounds += length / there.tokens.value;
    time += length / there.speedup.value;
  }
  return LeftOutTexts{parts, tokens / rounds, tokens / time};
}

}  // namespace draftgauge
