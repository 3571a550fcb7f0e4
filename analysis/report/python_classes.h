#pragma once
#include <span>
#include <string>

#include "analysis/report/field.h"

namespace draftgauge {

/// A module of the Python package: a dataclass of each of these results, with docstring, types, and the names that it
/// had a version ago.
std::string python_classes(std::span<Description const> results);

}  // namespace draftgauge
