#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// The page of a command: what it does, its options by group, its examples. docs/commands/ holds it as Markdown.
Result help_page(Command const& command);

}  // namespace draftgauge
