#pragma once
#include "apps/cli/command.h"

namespace draftgauge {

/// `draftgauge table`: the papers' tables recomputed, and those of recordings.
Command table_command();

}  // namespace draftgauge
