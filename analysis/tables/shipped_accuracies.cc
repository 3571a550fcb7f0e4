#include "analysis/tables/shipped_accuracies.h"

#include <algorithm>

#include "analysis/tables/published.h"
#include "sim/base/fraction.h"

namespace draftgauge {
namespace {

Published const& shipped() { return published("ppd-accuracies"); }

}  // namespace

std::vector<std::string_view> shipped_models() {
  std::vector<std::string_view> models;
  for (auto const& row : shipped().rows)
    if (std::string_view const model = row.at("model"); models.empty() || models.back() != model)
      models.push_back(model);
  return models;
}

PromptAccuracies shipped_accuracies(std::string_view model) {
  PromptAccuracies accuracies;
  double above = 1, first = 1;  // reach of the first guesses
  for (auto const& row : shipped().rows) {
    if (row.at("model") != model) continue;
    double const reach = parse_fraction(row.at("reach")).to_double();
    if (row.at("rank") == "1") {
      above = accuracies.empty() ? 1 : first;
      first = reach;
      accuracies.emplace_back();
    }
    accuracies.back().push_back(reach / above);
  }
  return ordered_accuracies(std::move(accuracies));
}

}  // namespace draftgauge
