#pragma once
#include "analysis/families/prompt_trees.h"
#include "analysis/report/field.h"
#include "apps/cli/invocation.h"
#include "sim/draft/tree_text.h"

namespace draftgauge {

/// The name of what prompt tokens draft, among those of drafters.
inline constexpr std::string_view prompt_drafter = "ppd";

/// What --accept takes for prompt tokens: "a list for each distance, or mobilellama, …".
std::string prompt_accept_text();

/// What --accept says of prompt tokens: the name of a model whose accuracies are shipped, or a list for each
/// distance. Throws UsageError.
PromptAccuracies prompt_accuracies(std::vector<std::string> const& lists);

/// A state of a design by its number: how many prompts the last accepted node carried.
Fields<std::size_t> state_fields(PromptDesign const& design);

/// The best trees of parallel prompt decoding by --accept: a list of accuracies for each distance, or the name of a
/// model whose ones are shipped.
Result tree_of_prompts(Invocation const& args);

/// Whether --tree names one of its trees, and not a shape: ppd:vicuna-7b,109 for the candidates of the last state
/// within so many tokens a pass, ppd:vicuna-7b,109,1 for those of state 1.
bool names_prompt_tree(std::string const& text);
ParsedTree prompt_tree(std::string const& text);

}  // namespace draftgauge
