#include "analysis/families/prompt_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <Eigen/Core>
#include <functional>
#include <map>
#include <numeric>
#include <queue>

#include "analysis/trees/medusa.h"
#include "analysis/trees/sequoia.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// P(the accepted path ends at v) of each node; the root's is that of accepting nothing.
std::vector<double> ends(TreeShape const& tree, PromptAccuracies const& accuracies) {
  std::vector<double> end = reach_by_distance(tree, accuracies);
  for (std::uint32_t node = 1; node < tree.size(); ++node)  // no node has lost anything yet when its parent loses it
    end[static_cast<std::size_t>(tree.parents()[node])] -= end[node];
  return end;
}

double mean_depth(TreeShape const& tree, std::vector<double> const& end) {
  double sum = 0;
  for (std::uint32_t node = 0; node < tree.size(); ++node) sum += end[node] * tree.depth(node);
  return sum;
}

/// Long-run shares of states from the last one on, whatever classes the chain has: a row of the limit of ((I + K)/2)^n.
std::vector<double> long_run(std::vector<std::vector<double>> const& next) {
  auto const n = static_cast<Eigen::Index>(next.size());
  Eigen::MatrixXd power = .5 * Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      power(i, j) += .5 * next[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  for (int doubling = 0; doubling < 64; ++doubling) {
    power = (power * power).eval();
    for (Eigen::Index i = 0; i < n; ++i) power.row(i) /= power.row(i).sum();
  }
  std::vector<double> share;
  for (Eigen::Index j = 0; j < n; ++j) share.push_back(power(n - 1, j));
  return share;
}

PromptStates states_of(std::span<PromptTree const> trees, std::vector<std::vector<double>> const& end,
                       NothingAccepted after_nothing) {
  std::size_t const m = trees.size();
  PromptStates states{{0.}, {}, {std::vector<double>(m + 1)}, {}};
  states.next[0][m] = 1;
  for (std::size_t k = 1; k <= m; ++k) {
    PromptTree const& tree = trees[k - 1];
    states.accepted.push_back(mean_depth(tree.tree, end[k - 1]));
    auto& next = states.next.emplace_back(m + 1);
    next[after_nothing == NothingAccepted::empty_round ? 0 : m] = end[k - 1][0];
    for (std::size_t node = 1; node < end[k - 1].size(); ++node)
      next[static_cast<std::size_t>(tree.prompts[node])] += end[k - 1][node];
  }
  states.share = long_run(states.next);
  auto const mean = [&](std::vector<double> const& weights) {
    return std::inner_product(weights.begin(), weights.end(), states.accepted.begin(), 0.);
  };
  for (std::size_t k = 0; k <= m; ++k) states.in_two.push_back(states.accepted[k] + mean(states.next[k]));
  states.mean_accepted = mean(states.share);
  return states;
}

/// The candidates of some T_k.
struct CandidateSet {
  TreeShape tree;
  std::vector<double> end;
  double accepted;
};

/// T_1, T_2, … of each size, built once.
class CandidateTrees {
 public:
  explicit CandidateTrees(PromptAccuracies const& accuracies) : accuracies_(accuracies) {}

  CandidateSet const& of(int depth, int size) {
    auto const [place, is_new] = trees_.try_emplace({depth, size});
    if (is_new) {
      auto heads = std::vector(accuracies_.begin(), accuracies_.begin() + depth);
      heads.emplace_back();  // none deeper
      TreeShape const tree = medusa_tree(heads, size + 1);
      auto end = ends(tree, accuracies_);
      double const accepted = mean_depth(tree, end);
      place->second = {tree, std::move(end), accepted};
    }
    return place->second;
  }

 private:
  PromptAccuracies const& accuracies_;
  std::map<std::pair<int, int>, CandidateSet> trees_;
};

PromptDesign designed(CandidateTrees& all, std::span<int const> sizes, int tokens, NothingAccepted after_nothing) {
  int const m = static_cast<int>(sizes.size());
  std::vector<CandidateSet const*> candidates;
  for (int k = 1; k <= m; ++k) candidates.push_back(&all.of(k, sizes[static_cast<std::size_t>(k - 1)]));
  /// What the last of i prompts is worth to the round that they serve.
  std::vector<double> worth(static_cast<std::size_t>(m) + 1);
  for (std::size_t i = 2; i < worth.size(); ++i) worth[i] = candidates[i - 1]->accepted - candidates[i - 2]->accepted;
  PromptDesign design;
  std::vector<std::vector<double>> end;
  for (CandidateSet const* each : candidates) {
    PromptTree tree{each->tree, std::vector<int>(each->tree.size(), m)};
    using Loss = std::pair<double, std::uint32_t>;
    std::priority_queue<Loss, std::vector<Loss>, std::greater<>> losses;
    auto const offer = [&](std::uint32_t node) {
      if (tree.prompts[node] > 1)
        losses.emplace(each->end[node] * worth[static_cast<std::size_t>(tree.prompts[node])], node);
    };
    for (std::uint32_t node = 1; node < tree.tree.size(); ++node) offer(node);
    for (auto over = tree.paper_tokens() - tokens; over > 0 && !losses.empty(); --over) {
      std::uint32_t const node = losses.top().second;
      losses.pop();
      --tree.prompts[node];
      offer(node);
    }
    design.trees.push_back(std::move(tree));
    end.push_back(each->end);
  }
  design.states = states_of(design.trees, end, after_nothing);
  return design;
}

/// The most candidates of at most `depth` levels, as far as `most`.
int most_candidates(PromptAccuracies const& accuracies, std::size_t depth, int most) {
  double level = 1, all = 0;
  for (std::size_t d = 0; d < depth; ++d) all += level *= static_cast<double>(accuracies[d].size());
  return all < most ? static_cast<int>(all) : most;
}

}  // namespace

PromptAccuracies ordered_accuracies(PromptAccuracies accuracies) {
  if (accuracies.empty())
    throw UsageError("there are no accuracies (each distance that a prompt token guesses has its own)",
                     "give one distance at least");
  for (std::size_t d = 0; d < accuracies.size(); ++d) {
    try {
      check_ranks(accuracies[d]);
    } catch (UsageError const& error) {
      throw UsageError(fmt::format("distance {}", d + 1), error);
    }
    std::ranges::sort(accuracies[d], std::greater<>());
  }
  return accuracies;
}

std::vector<double> reach_by_distance(TreeShape const& tree, PromptAccuracies const& accuracies) {
  std::vector<double> reach(tree.size(), 1.);
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    TreeNode const children = tree.children(node);
    for (std::uint32_t i = 0; i < children.count; ++i)
      reach[children.first + i] = reach[node] * accuracies[static_cast<std::size_t>(tree.depth(node))][i];
  }
  return reach;
}

std::int64_t PromptTree::pass_tokens() const {
  return std::accumulate(prompts.begin(), prompts.end(), std::int64_t{tree.size()});
}

std::int64_t PromptTree::paper_tokens() const { return pass_tokens() - 1 - prompts.front(); }

PromptStates prompt_states(std::span<PromptTree const> trees, PromptAccuracies const& accuracies,
                           NothingAccepted after_nothing) {
  std::vector<std::vector<double>> end;
  for (PromptTree const& tree : trees) end.push_back(ends(tree.tree, accuracies));
  return states_of(trees, end, after_nothing);
}

PromptDesign prompt_trees(PromptAccuracies const& accuracies, std::span<int const> candidates, int tokens,
                          NothingAccepted after_nothing) {
  CandidateTrees all(accuracies);
  return designed(all, candidates, tokens, after_nothing);
}

PromptDesign best_prompt_trees(PromptAccuracies const& accuracies, int tokens, NothingAccepted after_nothing) {
  if (tokens < 2) throw UsageError(fmt::format("{} tokens are too few (a candidate and its prompt are two)", tokens));
  std::size_t const m = accuracies.size();
  struct Range {
    int least, most;
  };
  std::vector<Range> ranges;
  double splits = 1;
  for (std::size_t k = 1; k <= m; ++k) {
    int const most = most_candidates(accuracies, k, tokens / 2);
    int const least = k == 1 ? most : std::clamp(tokens / (static_cast<int>(m) + 1), 1, most);
    ranges.push_back({least, most});
    splits *= most - least + 1;
  }
  constexpr double most_splits = 1 << 14;  // of one size, of which a choice tries a hundred
  if (splits > most_splits)
    throw UsageError(fmt::format("there are {:.2g} splits of {} tokens over the trees of {} prompt tokens to try",
                                 splits, tokens, m),
                     "give fewer tokens or fewer distances");
  CandidateTrees all(accuracies);
  std::vector<int> sizes;
  for (Range const& range : ranges) sizes.push_back(range.least);
  PromptDesign best;
  while (true) {
    PromptDesign design = designed(all, sizes, tokens, after_nothing);
    if (best.trees.empty() || design.states.mean_accepted > best.states.mean_accepted) best = std::move(design);
    std::size_t k = m;  // the next split, the last size first
    while (k > 0 && sizes[k - 1] == ranges[k - 1].most) sizes[k - 1] = ranges[k - 1].least, --k;
    if (k == 0) return best;
    ++sizes[k - 1];
  }
}

}  // namespace draftgauge
