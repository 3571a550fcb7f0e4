#include <algorithm>

#include "analysis/texts/estimator.h"
#include "sim/base/error.h"
#include "sim/base/names.h"

namespace draftgauge {

std::span<Estimator const> estimators() {
  static Estimator const all[] = {
#define ESTIMATOR(name) Estimator::name,
#include "analysis/texts/estimators/list.inc"
#undef ESTIMATOR
  };
  return all;
}

Estimator estimator_named(std::string_view name) {
  auto const found = std::ranges::find(estimators(), name, [](Estimator each) { return each.card->name; });
  if (found == estimators().end()) {
    std::vector<std::string_view> known;
    for (Estimator const each : estimators()) known.push_back(each.card->name);
    throw UsageError(unknown_name("estimator", name, known));
  }
  return *found;
}

}  // namespace draftgauge
