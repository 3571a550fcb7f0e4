#include <algorithm>

#include "analysis/texts/estimator.h"

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
  return *std::ranges::find(estimators(), name, [](Estimator each) { return each.card->name; });
}

}  // namespace draftgauge
