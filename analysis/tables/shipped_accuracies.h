#pragma once
#include <string_view>
#include <vector>

#include "analysis/families/prompt_trees.h"

namespace draftgauge {

/// The models whose accuracies PPD's repository ships within its trees (data/published/ppd-accuracies.tsv).
std::vector<std::string_view> shipped_models();  ///< "MobileLLaMA", "Vicuna-7B", "Vicuna-13B"

/// Of one of them, as ordered_accuracies has them: good to about 5e-5, products of them being printed with five digits.
PromptAccuracies shipped_accuracies(std::string_view model);

}  // namespace draftgauge
