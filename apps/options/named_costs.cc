#include "apps/options/named_costs.h"

#include <fmt/format.h>

#include "apps/cli/written_values.h"
#include "sim/base/error.h"

namespace draftgauge {

std::map<std::string, std::string> named_costs(std::string const& cost) {
  std::map<std::string, std::string> named;
  if (cost.find('=') == cost.npos || is_there(cost)) return named;
  for (std::string_view const part : list_parts(cost)) {
    std::size_t const equals = part.find('=');
    if (equals == part.npos || equals == 0 || equals + 1 == part.size())
      throw UsageError(fmt::format("--cost {}: '{}' is no NAME=C (each draft has a cost of its own)", cost, part),
                       "write prune2=.1,q2k=.02, or a file in place of a number");
    if (!named.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
      throw UsageError(fmt::format("--cost {} names {} twice (which of the two counts would be a guess)", cost,
                                   part.substr(0, equals)),
                       "keep one");
  }
  return named;
}

}  // namespace draftgauge
