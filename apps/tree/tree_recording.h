#pragma once
#include <string>
#include <vector>

#include "apps/tree/tree_report.h"

namespace draftgauge {

/// Whether the file is a recording of texts, and no table of distributions.
bool is_recording(std::string const& path);

/// The best tree by the texts of a recording: one file, or the target's and a draft's. Throws InputError where it
/// does not say.
Result tree_of_recording(Invocation const& args, std::vector<std::string> const& paths, TreeAsked const& asked);

}  // namespace draftgauge
