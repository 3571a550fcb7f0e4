#pragma once
#include "apps/invocation.h"
#include "apps/result.h"

namespace draftgauge {

/// The name of what prompt tokens draft, among those of drafters.
inline constexpr std::string_view prompt_drafter = "ppd";

/// The best trees of parallel prompt decoding by --accept: a list of accuracies for each distance, or the name of a model whose
/// ones are shipped.
Result tree_of_prompts(Invocation const& args);

}  // namespace draftgauge
