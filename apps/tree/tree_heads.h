#pragma once
#include <string_view>

#include "apps/cli/invocation.h"
#include "apps/output/result.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// `tree --drafter` of heads on the target that each guess one position, as Medusa's do.
inline constexpr std::string_view head_drafter = "heads";

/// --heads.
Option heads_option();

/// The tree that Medusa's construction makes of what such heads can know at best on these tables: what it claims, and
/// what its rounds give when they are played. Throws UsageError.
Result tree_of_heads(Invocation const& args, Source const& source);

}  // namespace draftgauge
