#pragma once
#include <string>
#include <vector>

#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// These files and those that --cost, --verify-cost, --load and --load-draft name, hashed. Throws InputError where
/// one cannot be read.
std::vector<Input> inputs_of(Invocation const& args, std::vector<std::string> const& files);

}  // namespace draftgauge
