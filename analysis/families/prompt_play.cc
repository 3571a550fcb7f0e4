#include "analysis/families/prompt_play.h"

#include "analysis/stats/token_coin.h"

namespace draftgauge {
namespace {

/// A cycle as long as that has left state m for good.
constexpr std::uint64_t longest_cycle = 1 << 20;

/// The node at which a round ends.
std::uint32_t last_accepted(TreeShape const& tree, PromptAccuracies const& accuracies, TokenCoins& coins) {
  std::uint32_t node = 0;
  while (true) {
    TreeNode const children = tree.children(node);
    if (children.count == 0) return node;
    auto const& ranks = accuracies[static_cast<std::size_t>(tree.depth(node))];
    std::uint32_t const i = share_holding(coins.next(), children.count, [&](std::uint32_t r) { return ranks[r]; });
    if (i == children.count) return node;
    node = children.first + i;
  }
}

}  // namespace

PlayedPrompts play_prompts(std::span<PromptTree const> trees, PromptAccuracies const& accuracies,
                           NothingAccepted after_nothing, std::uint64_t rounds, std::uint64_t seed) {
  std::size_t const m = trees.size();
  PlayedPrompts played{{}, std::vector<std::uint64_t>(m + 1)};
  for (std::uint64_t done = 0; done < rounds;) {
    TokenCoins coins(seed, played.cycles.trials);
    std::uint64_t accepted = 0, length = 0;
    std::size_t state = m;
    do {
      ++length;
      ++played.visits[state];
      if (state == 0) {
        state = m;
        continue;
      }
      PromptTree const& tree = trees[state - 1];
      std::uint32_t const node = last_accepted(tree.tree, accuracies, coins);
      accepted += static_cast<std::uint64_t>(tree.tree.depth(node));
      bool const empty = node == 0 && after_nothing == NothingAccepted::empty_round;
      state = empty ? 0 : static_cast<std::size_t>(tree.prompts[node]);
    } while (state != m && length < longest_cycle);
    done += length;
    played.cycles.add(accepted, length);
  }
  return played;
}

}  // namespace draftgauge
