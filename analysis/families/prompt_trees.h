#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/draft/tree_shape.h"

/// Parallel prompt decoding (PPD, Chen et al. 2024, arXiv 2405.18628): trained prompt tokens behind a node let the
/// target guess the tokens at distance 2, 3, … of it in the pass that verifies the node. The candidates of a round
/// are therefore as deep as the last accepted node of the round before carried prompts: that number is the state.
namespace draftgauge {

/// [d][r]: P(the guess of rank r + 1 for the token at distance d + 1 is right | the tokens before it were guessed
/// right), taken as independent of which they were. As many distances as prompt tokens: m.
using PromptAccuracies = std::vector<std::vector<double>>;

/// The same with the ranks of each distance from the best to the worst, as trees have their siblings: ranks of models
/// need not be in order. Throws UsageError, which names the distance, for no distance, or ranks that check_ranks
/// refuses.
PromptAccuracies ordered_accuracies(PromptAccuracies accuracies);

/// T_k: what a round verifies in state k ≥ 1.
struct PromptTree {
  TreeShape tree;            ///< root and candidates, at most k levels
  std::vector<int> prompts;  ///< [tree.size()] prompt tokens behind each node; the root carries m

  std::int64_t pass_tokens() const;   ///< of its pass of the target: nodes, root among them, and prompts
  std::int64_t paper_tokens() const;  ///< as the paper counts: candidates and their prompts
};

/// What follows a round that accepts no candidate.
enum class NothingAccepted {
  all_prompts,  ///< state m: the root carries m prompts, as in the paper's chain of m states and the repository's runtime
  empty_round  ///< a round without candidates (state 0), then state m: what the repository's builder of trees reckons with
};

/// P(the accepted path passes v) of each node, Π p by distance and rank; the root's is 1.
std::vector<double> reach_by_distance(TreeShape const& tree, PromptAccuracies const& accuracies);

/// The chain of states. States are numbered 0 … m; 0 is the round without candidates.
struct PromptStates {
  std::vector<double> accepted;           ///< f(T_k), the expected number of candidates accepted
  std::vector<double> in_two;             ///< F(T_k) = f(T_k) + Σ_i p(s_i|s_k) f(T_i), of this round and the next
  std::vector<std::vector<double>> next;  ///< p(s_i|s_k) at [k][i]: P(the last accepted node carries i prompts)
  std::vector<double> share;              ///< π, the long-run share of rounds in each state, from state m on
  double mean_accepted = 0;               ///< R = Σ π_k f(T_k); a round emits 1 + R tokens
};

/// accuracies: as ordered_accuracies has them, m of them; trees: T_1 … T_m. f(T) = Σ_{v candidate} Π p (Proposition
/// 4.1); the probability of ending at v, Proposition 4.3's p(c), is that of reaching v less that of reaching its
/// children.
PromptStates prompt_states(std::span<PromptTree const> trees, PromptAccuracies const& accuracies,
                           NothingAccepted after_nothing);

/// T_1 … T_m and their chain.
struct PromptDesign {
  std::vector<PromptTree> trees;
  PromptStates states;
};

/// The paper's construction (Section 4.2 and the repository's builder) for `tokens` candidates and prompts, root and
/// its prompts not among them: T_k has the n_k candidates of greatest Π p of at most k levels, n_1 being all of
/// distance 1 or half of the tokens, the others each between tokens/(m + 1) and tokens/2; m prompts on each, of which
/// those are taken away where last(c)·(f(T_i) − f(T_{i−1})) is least, but for one, until the tokens are kept to. Of
/// all (n_2, …, n_m) the first of greatest R. tokens ≥ 2, and no more than 2^14 splits to try, else UsageError.
PromptDesign best_prompt_trees(PromptAccuracies const& accuracies, int tokens, NothingAccepted after_nothing);

/// The same for given numbers of candidates n_1 … n_m ≥ 1, of which there are fewer where no more can be.
PromptDesign prompt_trees(PromptAccuracies const& accuracies, std::span<int const> candidates, int tokens,
                          NothingAccepted after_nothing);

}  // namespace draftgauge
