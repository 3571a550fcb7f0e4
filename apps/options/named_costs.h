#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/recordings/text_file.h"

namespace draftgauge {

/// "a=.1,b=costs.jsonl" by name; empty where it is a cost, or a file, by itself. Throws UsageError for a part that is
/// not of that form, and for a name that stands twice.
std::map<std::string, std::string> named_costs(std::string const& cost);

/// The same of another option: `kind` of value, as "N", and what to write.
std::map<std::string, std::string> named_values(std::string_view option, std::string const& text,
                                                std::string_view kind, std::string const& example);

/// The longest of these names that is part of the file's name, or, where none is, of that of the nearest folder that
/// has one: small/metrics.txt and large/metrics.txt.
template <class Named>
std::optional<std::string> named_in(Named const& named, std::string path) {
  while (!path.empty()) {
    std::string const part = file_name(path);
    std::optional<std::string> found;
    for (auto const& [name, ignored] : named)
      if (part.find(name) != part.npos && name.size() > (found ? found->size() : 0)) found = name;
    if (found || part.size() >= path.size()) return found;
    path.resize(path.size() - part.size() - 1);
  }
  return std::nullopt;
}

}  // namespace draftgauge
