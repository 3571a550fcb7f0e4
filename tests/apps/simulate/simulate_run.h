#pragma once
#include <string>

#include "tests/apps/answers.h"

namespace draftgauge {

/// What `draftgauge simulate` answers.
inline Json simulate(std::string const& line) { return document("simulate " + line); }

}  // namespace draftgauge
