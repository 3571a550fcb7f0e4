#pragma once
#include <string_view>

#include "apps/command.h"

namespace draftgauge {

/// "0.1.0"
std::string_view program_version();

/// What `draftgauge --version` runs; not in the list of commands.
Command const& version_command();

}  // namespace draftgauge
