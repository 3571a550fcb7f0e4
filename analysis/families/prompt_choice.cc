#include "analysis/families/prompt_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/theory/optimum.h"
#include "sim/base/error.h"

namespace draftgauge {

PricedPrompts priced_prompts(PromptDesign design, Costs const& costs) {
  PricedPrompts result{{}, {0, design.trees.back().tree.depth(), 1 + design.states.mean_accepted, 0, 0}, false};
  for (std::size_t k = 0; k < design.trees.size(); ++k) {
    std::int64_t const pass = design.trees[k].pass_tokens();
    double const share = design.states.share[k + 1];
    result.sized.nodes = std::max(result.sized.nodes, static_cast<int>(pass));
    result.sized.time += share * costs.of_tree(0, pass);
    result.guess |= share > 0 && costs.extrapolates(pass);
  }
  result.sized.speedup = result.sized.tokens / result.sized.time;
  result.design = std::move(design);
  return result;
}

std::vector<double> PromptChoice::speedups() const {
  return speedups_of(sizes, [](PricedPrompts const& each) { return each.sized.speedup; });
}

PromptChoice choose_prompt_trees(PromptAccuracies const& accuracies, int pass_tokens, Costs const& costs) {
  constexpr int all_below = 64, of_double = 32;  // neighbours among large sizes differ little
  int const prompts = static_cast<int>(accuracies.size()), most = pass_tokens - 1 - prompts;
  if (most < 2)
    throw UsageError(fmt::format(
        "a pass of {} tokens is too small for {} prompts (the root with as many, a candidate and its prompt are {})",
        pass_tokens, prompts, prompts + 3));
  PromptChoice choice{{{{}, priced_tree(1, 0, 1, costs), false}}};
  for (int tokens = 2; tokens <= most;) {
    PricedPrompts next = priced_prompts(best_prompt_trees(accuracies, tokens, NothingAccepted::all_prompts), costs);
    // Where accuracies run out more tokens make no larger trees.
    if (next.sized.nodes > choice.sizes.back().sized.nodes) choice.sizes.push_back(std::move(next));
    if (tokens == most) break;
    tokens = std::min(most, tokens + (tokens < all_below ? 1 : tokens / of_double));
  }
  choice.best = smallest_best(choice.speedups());
  return choice;
}

}  // namespace draftgauge
