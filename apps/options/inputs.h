#pragma once
#include <string>
#include <vector>

#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// These files and those that --cost, --verify-cost, --load and --load-draft name, hashed. Throws InputError where
/// one cannot be read.
std::vector<Input> inputs_of(Invocation const& args, std::vector<std::string> const& files);

/// Adds them to a result that says them, which is JSON: hashing a recording takes longer than reading it.
void add_inputs(Result& result, Invocation const& args, std::vector<std::string> const& files = {});

}  // namespace draftgauge
