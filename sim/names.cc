#include "sim/names.h"

#include <algorithm>
#include <vector>

namespace draftgauge {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string unknown_name(std::string_view kind, std::string_view name, std::span<std::string_view const> known) {
  std::string message = "there is no " + std::string(kind) + " '" + std::string(name) + "' (known: ";
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (std::string_view candidate : known) {
    if (candidate.data() != known.front().data()) message += ", ";
    message += candidate;
    std::size_t const distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  message += ")";
  if (!nearest.empty()) message += " did you mean '" + std::string(nearest) + "'?";
  return message;
}

}  // namespace draftgauge
