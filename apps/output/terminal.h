#pragma once
#include <ostream>

#include "apps/output/result.h"

namespace draftgauge {

/// Whether a stream is this process's standard output or standard error, and that a terminal which a person looks at.
bool is_terminal(std::ostream const& stream);

/// How a text is to look on a stream: on a terminal as wide as that is (COLUMNS, else what the system says; 80 to
/// 200) and, unless NO_COLOR is set (no-color.org) or TERM is "dumb", in colour; elsewhere as in a file.
Look look_of(std::ostream const& stream);

}  // namespace draftgauge
