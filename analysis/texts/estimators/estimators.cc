#include "analysis/texts/estimator.h"
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

Estimator estimator_named(std::string_view name) { return {&entry_named("estimator", name, estimator_cards())}; }

}  // namespace draftgauge
