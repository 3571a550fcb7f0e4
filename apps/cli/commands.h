#pragma once
#include <string_view>
#include <vector>

#include "apps/cli/command.h"

namespace draftgauge {

#define COMMAND(name) Command name##_command();
#include "apps/cli/list.inc"
#undef COMMAND

/// All commands, in the order in which help lists them.
std::vector<Command> const& commands();

/// The command of that name. Throws UsageError that lists the known names and the nearest.
Command const& command_named(std::string_view name);

}  // namespace draftgauge
