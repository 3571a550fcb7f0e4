#pragma once
#include <string>

#include "analysis/report/field.h"

namespace draftgauge {

/// A module of the Python package: a dataclass of each of these results and those within, with docstring, types, and the names that it
/// had a version ago.
std::string python_classes(std::vector<Description> const& results);

}  // namespace draftgauge
