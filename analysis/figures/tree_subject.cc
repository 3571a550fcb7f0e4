#include "analysis/figures/tree_subject.h"

#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "analysis/choose/text_choice.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/texts/text_limits.h"
#include "analysis/theory/optimum.h"
#include "analysis/trees/breadth_first.h"
#include "analysis/trees/sequoia.h"
#include "analysis/trees/tree_replay.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

SubjectTree priced(TreeShape tree, double tokens, Costs const& costs) {
  SizedTree const sized = priced_tree(static_cast<int>(tree.size()), tree.depth(), tokens, costs);
  return {std::move(tree), sized.tokens, sized.speedup};
}

TreeSubject of_ranks(FigureTrees const& trees) {
  TreeSubject subject{.of = trees.of, .costs = trees.costs.value_or(Costs{})};
  subject.reach =
      trees.reach ? trees.reach : [ranks = trees.ranks](TreeShape const& tree) { return reach_by_rank(tree, ranks); };
  auto const tokens = [&](TreeShape const& tree) {
    std::vector<double> const reach = subject.reach(tree);
    return std::accumulate(reach.begin(), reach.end(), 0.);
  };
  if (trees.tree) {
    subject.sizes = {priced(*trees.tree, tokens(*trees.tree), subject.costs)};
    return subject;
  }
  SequoiaTable const table(trees.ranks, trees.nodes, trees.depth);
  TreeChoice const choice = choose_tree(table, subject.costs, trees.near_optimal);
  if (trees.reach) {
    TreeShape best = table.tree(choice.tree().nodes, choice.tree().depth);
    double const emitted = tokens(best);
    subject.sizes = {priced(std::move(best), emitted, subject.costs)};
    return subject;
  }
  for (SizedTree const& each : choice.sizes)
    subject.sizes.push_back({table.tree(each.nodes, each.depth), each.tokens, each.speedup, std::nullopt,
                             in_any(choice.near_optimal, each.nodes)});
  subject.best = choice.best;
  for (int gamma = 0; gamma <= table.depth_limit() && gamma < trees.nodes; ++gamma) {
    TreeShape chain = chain_tree(gamma);
    double const emitted = tokens(chain);
    subject.chains.push_back(priced(std::move(chain), emitted, subject.costs));
  }
  return subject;
}

struct RankedText {
  FigureRecording const* of;
  TextRanks ranks;
};

RankedText ranked(FigureInput const& input, std::string_view figure) {
  require_one_recording(input, figure, "it is one choice of trees");
  std::optional<InputError> why;
  for (FigureRecording const& each : input.recordings) {
    if (!each.ranks) continue;
    try {
      return {&each, each.ranks(input.trees.drafts, input.trees.branching)};
    } catch (InputError const& error) {
      if (!why) why = error;
    }
  }
  if (why) throw *why;
  throw InputError(fmt::format("{} is drawn of acceptance by rank (none is given)", figure),
                   "give it, or a recording of rows, such as data/smollm2_prune2_24.safetensors");
}

TreeSubject of_text(FigureInput const& input, std::string_view figure) {
  FigureTrees const& trees = input.trees;
  RankedText text = ranked(input, figure);
  auto const ranks = std::make_shared<TextRanks const>(std::move(text.ranks));
  TreeSubject subject{.of = fmt::format("{}, {} verified by {}", to_string(*text.of), drafter_name(trees.drafts),
                                        rule_name(trees.drafts)),
                      .costs = trees.costs.value_or(text.of->costs)};
  subject.reach = [ranks](TreeShape const& tree) { return replayed(tree, *ranks).reach(); };
  auto const sample = text.of->estimates.sample();
  auto const shown = [&](TextTree const& tree, bool near_optimal = false) {
    return SubjectTree{tree.tree, tree.sized.tokens, tree.sized.speedup,
                       interval_within(tree.speedup, input.confidence, tree.speedup_limits), near_optimal};
  };
  if (trees.tree) {
    subject.sizes = {shown(text_tree(*trees.tree, *ranks, sample, subject.costs))};
    return subject;
  }
  TextTreeChoice const choice =
      choose_text_tree(*ranks, sample, subject.costs, trees.nodes, trees.depth.value_or(standard_text_depth),
                       trees.near_optimal, ReplayedSizes::all);
  for (TextTree const& each : choice.sizes)
    subject.sizes.push_back(shown(each, in_any(choice.near_optimal, each.sized.nodes)));
  subject.best = choice.best;
  for (TextTree const& each : choice.chains) subject.chains.push_back(shown(each));
  return subject;
}

}  // namespace

TreeSubject tree_subject(FigureInput const& input, std::string_view figure) {
  return input.trees.of.empty() ? of_text(input, figure) : of_ranks(input.trees);
}

std::string cost_words_of(TreeSubject const& subject) {
  return fmt::format("c = {:g}{}", subject.costs.draft, other_costs(subject.costs, true));
}

}  // namespace draftgauge
