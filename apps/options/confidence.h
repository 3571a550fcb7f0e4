#pragma once
#include <string>

#include "apps/cli/command.h"

namespace draftgauge {

class Invocation;

/// --confidence.
Option confidence_option(std::string of = "of the intervals");

/// What it says. Throws UsageError unless it is between 0 and 1.
double confidence_from(Invocation const& args);

}  // namespace draftgauge
