#pragma once
#include <vector>

#include "analysis/families/prompt_trees.h"
#include "analysis/trees/tree_speedup.h"

namespace draftgauge {

/// A design and what its rounds cost. Without trees: plain decoding.
struct PricedPrompts {
  PromptDesign design;
  SizedTree
      sized;   ///< nodes: tokens of the largest pass; time: the mean over states, Σ π_k (v(tokens of the pass) + o)
  bool guess;  ///< v was not measured at some pass
};
PricedPrompts priced_prompts(PromptDesign design, Costs const& costs);

/// The hardware-aware choice (Section 4.3): of the best designs of each number of tokens the one of greatest speed-up
/// S = (1 + R) / Σ π_k (v(n_k) + o), where the paper takes one latency for all states.
struct PromptChoice {
  std::vector<PricedPrompts>
      sizes;             ///< plain decoding first, then growing; above 64 tokens not every number is tried
  std::size_t best = 0;  ///< the first within a relative 1e-12 of the greatest S
  std::vector<double> speedups() const;
  PricedPrompts const& chosen() const { return sizes[best]; }
};

/// pass_tokens: of the largest pass, root and prompts among them; m + 3 at least, else UsageError. Rounds that accept
/// nothing are followed by state m. Throws as best_prompt_trees does.
PromptChoice choose_prompt_trees(PromptAccuracies const& accuracies, int pass_tokens, Costs const& costs);

}  // namespace draftgauge
