#pragma once
#include <string>

#include "tests/apps/answers.h"

namespace draftgauge {

/// What `draftgauge exact` answers.
inline Json exact(std::string const& line, int status = 0) { return document("exact " + line, status); }

inline void refused(std::string const& line, std::string const& message) {
  check_refusal("exact " + line, 2, message);
}

}  // namespace draftgauge
