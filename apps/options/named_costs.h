#pragma once
#include <map>
#include <string>

namespace draftgauge {

/// "a=.1,b=costs.jsonl" by name; empty where it is a cost, or a file, by itself. Throws UsageError for a part that is not of
/// that form, and for a name that stands twice.
std::map<std::string, std::string> named_costs(std::string const& cost);

}  // namespace draftgauge
