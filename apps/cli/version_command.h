#pragma once
#include <string>
#include <string_view>

#include "apps/cli/command.h"

namespace draftgauge {

/// "0.1.0"
std::string_view program_version();
/// "g++ 12.2.0": what this program was compiled with.
std::string program_compiler();

/// What `draftgauge --version` runs; not in the list of commands.
Command const& version_command();

}  // namespace draftgauge
