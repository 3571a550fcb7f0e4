#pragma once
#include <ostream>

#include "apps/output/result.h"

namespace draftgauge {

/// Whether a stream is this process's standard output or standard error, and that a terminal which a person looks at.
bool is_terminal(std::ostream const& stream);

/// How a text is to look on a stream: on standard output as wide as COLUMNS says, in a pipe too, else on a terminal as
/// wide as that is (80 to 200); on a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb", in colour;
/// elsewhere as in a file.
Look look_of(std::ostream const& stream);

}  // namespace draftgauge
