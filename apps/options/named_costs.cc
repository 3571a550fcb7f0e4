#include "apps/options/named_costs.h"

#include <fmt/format.h>

#include "apps/cli/written_values.h"
#include "sim/base/error.h"

namespace draftgauge {

std::map<std::string, std::string> named_costs(std::string const& cost) {
  if (cost.find('=') == cost.npos || is_there(cost)) return {};
  return named_values("--cost", cost, "C", "prune2=.1,q2k=.02, or a file in place of a number");
}

std::map<std::string, std::string> named_values(std::string_view option, std::string const& text,
                                                std::string_view kind, std::string const& example) {
  std::map<std::string, std::string> named;
  for (std::string_view const part : list_parts(text)) {
    std::size_t const equals = part.find('=');
    if (equals == part.npos || equals == 0 || equals + 1 == part.size())
      throw UsageError(fmt::format("{} {}: '{}' is no NAME={} (each draft has {} of its own)", option, text, part,
                                   kind, option == "--cost" ? "a cost" : "one"),
                       "write " + example);
    if (!named.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
      throw UsageError(fmt::format("{} {} names {} twice (which of the two counts would be a guess)", option, text,
                                   part.substr(0, equals)),
                       "keep one");
  }
  return named;
}

}  // namespace draftgauge
