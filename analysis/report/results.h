#pragma once
#include <string>

namespace draftgauge {

/// docs/schema/results.json, which the schemas of commands refer to.
std::string results_schema();

/// python/draftgauge/_described.py.
std::string results_in_python();

}  // namespace draftgauge
