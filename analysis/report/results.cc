#include "analysis/report/results.h"

#include "analysis/report/gamma_document.h"
#include "analysis/report/python_classes.h"
#include "analysis/report/schema.h"

namespace draftgauge {
namespace {

template <class Result>
Description description() {
  return describe(static_cast<Result const*>(nullptr));
}

}  // namespace

std::string results_schema() {
  std::vector<Description> const results = gamma_documents();
  return laid_out(schema_of(results));
}

std::string results_in_python() {
  Description const results[] = {description<CurveRow>(), description<ChosenGamma>()};
  return python_classes(results);
}

}  // namespace draftgauge
